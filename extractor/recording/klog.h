/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel had logged when recording began, line by line. */
#ifndef EPITAPH_RECORDING_KLOG_H
#define EPITAPH_RECORDING_KLOG_H

#include "event/aux_event.h"
#include "region/clock.h"

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
 * @ahead: CLOCK_MONOTONIC less the clock of the log's times, ns
 */
struct klog {
	bool there;
	bool is_cut;
	s64 ahead;
	char *text;
	struct klog_line *lines;
	u32 nr;
};

/**
 * struct klog_prefix - what a console puts in front of a line: "[    1.234567][    T12] "
 * @has_time: @ns is the log's own time
 * @caller: 'T' and the number of a task, 'C' and that of a CPU; 0: it does not say
 */
struct klog_prefix {
	bool has_time;
	u64 ns;
	char caller;
	u64 number;
};

/* CLOCK_MONOTONIC of a time of the log's; 0 for one before that clock began. */
u64 klog_mono(const struct klog *klog, u64 log_ns);

/* klog_skip_prefix() - move @text behind it, @len bytes; @prefix may be NULL */
void klog_skip_prefix(const char **text, u32 *len, struct klog_prefix *prefix);

/* klog_read() - lines in their order; damage is noted, and nothing of it given */
int klog_read(struct klog *klog, struct generation *generation, struct err *err);

/* klog_add() - give each line its place in a timeline; @klog must outlive it */
int klog_add(const struct klog *klog, struct aux_events *extras, struct err *err);

void klog_free(struct klog *klog);

#endif
