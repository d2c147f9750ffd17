/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel had logged when recording began, line by line. */
#ifndef EPITAPH_KLOG_H
#define EPITAPH_KLOG_H

#include "clock.h"
#include "extra.h"

#define KLOG_MAX_BYTES	(16U << 20)	/* of text; what is beyond is not looked at */
#define KLOG_MAX_LINES	(1U << 17)

/**
 * struct klog_line - one
 * @mono_ns: when; that of the line before where it does not say
 * @priority: level and 8 times facility, or -1
 * @text: @len bytes behind what is told above; not escaped
 */
struct klog_line {
	u64 mono_ns;
	s32 priority;
	u32 len;
	const char *text;
};

/**
 * struct klog - all of it
 * @there: it was taken in, and its check holds
 * @is_cut: older lines found no room in it
 */
struct klog {
	bool there;
	bool is_cut;
	char *text;
	struct klog_line *lines;
	u32 nr;
};

/* klog_read() - lines in their order; damage is noted, and nothing of it given */
int klog_read(struct klog *klog, struct region *region, struct err *err);

/* klog_add() - give each line its place in a timeline; @klog must outlive it */
int klog_add(const struct klog *klog, struct extras *extras, struct err *err);

void klog_free(struct klog *klog);

#endif
