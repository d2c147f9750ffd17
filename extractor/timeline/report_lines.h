/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the recorded kernel's log, from all places of this file: the kernel's own log in a
 * dump, the console lines that the recorder kept, and the lines that it found when it was loaded.
 */
#ifndef EPITAPH_TIMELINE_REPORT_LINES_H
#define EPITAPH_TIMELINE_REPORT_LINES_H

#include "linux_kernel/kernel_report.h"
#include "postmortem.h"

enum report_source {
	REPORT_SOURCE_NONE,
	REPORT_SOURCE_CONSOLE,	/* console lines that the recorder kept */
	REPORT_SOURCE_LOG,	/* the log in the dump; older lines as above */
};

/**
 * struct report_lines - all lines
 * @list: nr lines in the order of time; their texts are in @texts
 */
struct report_lines {
	enum report_source source;
	struct report_line *list;
	u32 nr;
	char *texts;
};

/**
 * report_lines_read() - collect the lines; of very many lines, the newest
 * @lines: for report_lines_free(), also on failure
 * @pm: after pm_scan()
 *
 * Lines that programs wrote to /dev/kmsg are left out where the log says so: they may imitate the
 * kernel; but for that of a rehearsal. A log of another boot than the generation is not used.
 */
int report_lines_read(struct report_lines *lines, struct postmortem *pm, struct err *err);

/* Is it what epitaph test-crash writes to /dev/kmsg just before it crashes its machine? */
bool report_line_is_rehearsal(const char *text, u32 len);

/* Who printed a line, as one number: a task (@pid, or -1) or a CPU (@cpu, or NO_CPU). */
u64 report_line_caller(s64 pid, u32 cpu);

/* Is the dumped kernel, @pm->kernel, the boot that was recorded? True without a recording. */
bool report_lines_same_boot(const struct postmortem *pm);

/* Is it surely another one? Neither, of some dumps that do not say. @pm has both. */
bool report_lines_other_boot(const struct postmortem *pm);

void report_lines_free(struct report_lines *lines);

#endif
