/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU that ran one thing for too long: since when, and in what context. */
#ifndef EPITAPH_JUDGE_LONG_RUN_H
#define EPITAPH_JUDGE_LONG_RUN_H

#include "judge/judge.h"

#define LONG_RUN_NS	2000000000ULL	/* that a CPU runs one task */

/**
 * struct long_run_context - what the CPU was in
 * @what: "a softirq", "an interrupt", "a timer"
 * @task: what that has to do with the task: "it had interrupted"
 */
struct long_run_context {
	const char *what;
	const char *task;
};

/* False: in none, but in the task itself. */
bool long_run_context(struct long_run_context *context, const struct kernel_report *report);

/* Since when CPU @nr ran what it ran, as evidence. */
void long_run_switch(struct explain *explain, u32 nr);

#endif
