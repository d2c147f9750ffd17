/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a report as columns of numbers, for the page to draw; docs/html.md. */
#ifndef EPITAPH_EXPORT_HTML_ROWS_H
#define EPITAPH_EXPORT_HTML_ROWS_H

#include <stdio.h>

#include "base/string_interner.h"
#include "report/report.h"
#include "timeline/joint.h"

#define HTML_ROWS	32768		/* of one block */

/* What the page does with a row; html/data.js has the same. */
enum html_kind {
	HTML_EVENT = 0,
	HTML_SWITCH = 1,	/* aux: the task that runs from here on */
	HTML_IRQ = 2,		/* aux: a name; so with softirqs and system calls */
	HTML_IRQ_END = 3,
	HTML_SOFT = 4,
	HTML_SOFT_END = 5,
	HTML_SYS = 6,
	HTML_SYS_END = 7,
	HTML_LOG = 8,		/* aux: its level and 1 more, if it has one */
	HTML_MCE = 9,
	HTML_LOST = 10,		/* aux: not 0 if it is beside what slices are made of */
	HTML_DAMAGED = 11,	/* the same */
	HTML_UNFINISHED = 12,
	HTML_MARK = 13,
	HTML_CRASH = 14,
	HTML_END = 15,
	HTML_NOT_RUN = 16,	/* a virtual CPU, until here; name: why, aux: for how many ns, a text */
};

#define HTML_GUEST_LANE	0x8000	/* lanes of guests begin here, and those of the host end */

/* Any number of rows, the last of them not yet written. */
struct html_rows;

/* @end: what the page counts times from; @joint: NULL: there are no guests */
int html_rows_new(struct html_rows **ret, struct strings *strings, u64 end, const struct joint *joint,
		  struct err *err);
void html_rows_free(struct html_rows *rows);

/* Room for one more is there after html_rows_write() or while it is not full. */
void html_rows_add(struct html_rows *rows, const struct line *line);
bool html_rows_full(const struct html_rows *rows);

/*
 * Does a row of this event of the file's own kernel have all that its line begins with: task, CPU
 * and time?  Not if its columns would be rounded or a text was left out, nor for the first event of a task.
 */
bool html_rows_have_head(const struct html_rows *rows, const struct item *item);

/* A block of those that are not written yet; @f: NULL: another process writes it */
int html_rows_write(struct html_rows *rows, FILE *f, struct err *err);

/* What is of none of its CPUs, and CPU n in the lane n + 1 behind it; the other CPUs of too many have no lane. */
u32 html_rows_guest_lane(const struct html_rows *rows, const struct joint_guest *guest);
u32 html_rows_guest_cpus(const struct html_rows *rows, const struct joint_guest *guest);

/* All that were added, and the time of the first. */
u64 html_rows_nr(const struct html_rows *rows);
u64 html_rows_start(const struct html_rows *rows);

#endif
