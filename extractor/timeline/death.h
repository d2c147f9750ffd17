/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel died of, in its own words: which of its reports led to the end, what had happened
 * before, and which other CPUs were dying too.
 */
#ifndef EPITAPH_TIMELINE_DEATH_H
#define EPITAPH_TIMELINE_DEATH_H

#include "report_lines.h"

#define DEATH_MAX_CPUS	8	/* more that were dying are counted only */
#define DEATH_PLACE	128

/**
 * struct death_cpu - another CPU that was dying when the kernel ended
 * @place: "function+0x1/0x20": what it faulted in, or what called panic(); "": unknown; not escaped
 * @said: the text of its panic(); ""; not escaped
 */
struct death_cpu {
	u32 cpu;
	u32 pid;
	bool has_task;
	char comm[17];
	char place[DEATH_PLACE];
	char said[89];
};

/**
 * struct death - all of it
 * @reports: what the kernel printed; @lines has their texts
 * @panic: the report of the panic() it ended in; -1: none, or it was not printed
 * @cause: the report that panic() was called for, or the oops it died of; -1: none is known
 * @first_blocked: with a @cause of KERNEL_REPORT_HUNG_TASK, the first of those found at once; up
 *	to @cause
 * @cpus: others, nr_cpus of them; @nr_more beyond these
 */
struct death {
	struct report_lines lines;
	struct kernel_reports reports;
	s64 panic;
	s64 cause;
	u32 first_blocked;
	struct death_cpu cpus[DEATH_MAX_CPUS];
	u32 nr_cpus;
	u32 nr_more;
};

/**
 * death_read() - find out
 * @death: for death_free()
 * @pm: after pm_scan(); must outlive @death
 */
int death_read(struct death *death, struct postmortem *pm, struct err *err);

void death_free(struct death *death);

/* Is report @i what it died of, or a part of that? */
bool death_has(const struct death *death, u32 i);

/*
 * The mark of an oops that no report tells, and that the kernel did not die of: its lines are
 * gone.  Of the account's trace.
 */
bool death_mark_is_earlier(const struct death *death, const struct postmortem *pm,
			   const struct recording_mark *mark);

#endif
