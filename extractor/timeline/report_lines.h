/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The lines of the recorded kernel's log, from where this file has them: the kernel's own log of a
 * dump, the lines of the console that the recorder kept, and those that it found when it was loaded.
 */
#ifndef EPITAPH_TIMELINE_REPORT_LINES_H
#define EPITAPH_TIMELINE_REPORT_LINES_H

#include "linux_kernel/kernel_report.h"
#include "postmortem.h"

enum report_source {
	REPORT_SOURCE_NONE,
	REPORT_SOURCE_CONSOLE,	/* what the recorder kept of it */
	REPORT_SOURCE_LOG,	/* the kernel's log, out of its dump; older lines as above */
};

/**
 * struct report_lines - all of them
 * @list: nr of them by time; their texts are @texts'
 */
struct report_lines {
	enum report_source source;
	struct report_line *list;
	u32 nr;
	char *texts;
};

/**
 * report_lines_read() - collect them; the newest, if there are very many
 * @lines: for report_lines_free()
 * @pm: after pm_scan()
 *
 * Lines that programs wrote to /dev/kmsg are left out where the log tells them: they may look like
 * the kernel's.  A log that is of another boot than the generation is not used.
 */
int report_lines_read(struct report_lines *lines, struct postmortem *pm, struct err *err);

void report_lines_free(struct report_lines *lines);

#endif
