/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a kernel died of: which of the reports it printed led to the end, which came earlier, and
 * which other CPUs were dying at the same time.
 */
#ifndef EPITAPH_TIMELINE_DEATH_H
#define EPITAPH_TIMELINE_DEATH_H

#include "report_lines.h"

#define DEATH_MAX_CPUS	8	/* further CPUs are only counted */
#define DEATH_PLACE	128

/**
 * struct death_cpu - another CPU that was dying when the kernel ended
 * @has_task: @pid and @comm are known
 * @place: "function+0x1/0x20": where it faulted, or which function called panic(); "": unknown;
 *	not escaped
 * @said: the text of its panic(); "": none; not escaped
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
 * struct death - what the kernel died of
 * @lines: of the kernel's log; the texts of @reports are in them
 * @reports: what the kernel printed
 * @panic: index of the report of the last panic(); -1: there was none, or it was not printed
 * @cause: index of the report that panic() was called for, or of the fatal oops; -1: unknown
 * @first_blocked: if @cause is a KERNEL_REPORT_HUNG_TASK: the first of the hung tasks that one
 *	pass found; @cause is the last of them
 * @is_hang_silent: after death_take_hang(): the kernel has printed all reports of hung tasks that it prints, so
 *	that none followed says nothing
 * @cpus: nr_cpus other CPUs that were dying; nr_more further ones are not listed
 */
struct death {
	struct report_lines lines;
	struct kernel_reports reports;
	s64 panic;
	s64 cause;
	u32 first_blocked;
	bool is_hang_silent;
	struct death_cpu cpus[DEATH_MAX_CPUS];
	u32 nr_cpus;
	u32 nr_more;
};

/**
 * death_read() - find out what the kernel died of
 * @death: for death_free(), also on failure
 * @pm: after pm_scan(); must outlive @death
 */
int death_read(struct death *death, struct postmortem *pm, struct err *err);

/*
 * Of a kernel that did not say how it ended: are hung tasks the last that it reported? Then they are the
 * cause: those of the last pass. If the kernel stopped within that, those of the one before.
 */
bool death_take_hang(struct death *death);

/* After that: take the last pass, cut or not. Return: is it another one? */
bool death_take_last_hang(struct death *death);

/*
 * The same of a lockup or a stall that the kernel would have reported again, had it gone on for long; else of
 * the last oops, which need not have been the end.
 */
bool death_take_last(struct death *death, const struct postmortem *pm);

/*
 * death_rehearsal() - the line of epitaph test-crash, or of inject, that asked for this crash
 *
 * Return: its index in @death->lines; -1: it was no rehearsal.
 */
s64 death_rehearsal(const struct death *death, const struct postmortem *pm);

void death_free(struct death *death);

/* Did the kernel die of report @i, or is it a part of that? */
bool death_has(const struct death *death, u32 i);

/*
 * Is this mark of @pm->recording an oops that the kernel survived, and of which no report is left
 * because its lines are gone?
 */
bool death_mark_is_earlier(const struct death *death, const struct postmortem *pm,
			   const struct recording_mark *mark);

#endif
