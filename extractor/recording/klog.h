/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The kernel's log from before the recording began, line by line. */
#ifndef EPITAPH_RECORDING_KLOG_H
#define EPITAPH_RECORDING_KLOG_H

#include "event/aux_event.h"
#include "region/clock.h"

#define KLOG_MAX_BYTES	(16U << 20)	/* of text; a larger log is refused as damaged */
#define KLOG_MAX_LINES	(1U << 17)

/**
 * struct klog_line - one line of the log
 * @mono_ns: CLOCK_MONOTONIC; a line without a time has that of its predecessor
 * @priority: level and 8 times facility, or -1
 * @text: @len bytes behind priority and time; not escaped
 */
struct klog_line {
	u64 mono_ns;
	s32 priority;
	u32 len;
	const char *text;
};

/**
 * struct klog - the log of a generation
 * @there: the generation has a log, and its check holds
 * @is_cut: older lines had no room in the section
 * @is_whole: it is all that the kernel logged until its end, out of a dump
 * @ahead: CLOCK_MONOTONIC minus the clock of the log, ns
 * @text: owned; the lines point into it
 */
struct klog {
	bool there;
	bool is_cut;
	bool is_whole;
	s64 ahead;
	char *text;
	struct klog_line *lines;
	u32 nr;
};

/**
 * struct klog_prefix - the prefix of a console line: "[    1.234567][    T12] "
 * @has_time: @ns is valid, in the clock of the log
 * @caller: 'T': @number is a task; 'C': @number is a CPU; 0: unknown
 */
struct klog_prefix {
	bool has_time;
	u64 ns;
	char caller;
	u64 number;
};

/* CLOCK_MONOTONIC of @log_ns, a time of the log; 0 if it is before the start of that clock. */
u64 klog_mono(const struct klog *klog, u64 log_ns);

/* Parses the prefix of a console line and moves @text, @len bytes, behind it. @prefix: or NULL. */
void klog_skip_prefix(const char **text, u32 *len, struct klog_prefix *prefix);

/* Reads the log into the zeroed @klog. A damaged log is noted and gives no line. */
int klog_read(struct klog *klog, struct generation *generation, struct err *err);

/* Adds all lines to a timeline, which @klog must outlive. */
int klog_add(const struct klog *klog, struct aux_events *extras, struct err *err);

void klog_free(struct klog *klog);

#endif
