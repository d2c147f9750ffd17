/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a kernel died: the judges of the kinds of crashes, and what they decide from. */
#ifndef EPITAPH_EXPLAIN_EXPLAIN_H
#define EPITAPH_EXPLAIN_EXPLAIN_H

#include "finding.h"
#include "history.h"
#include "fault_text.h"
#include "stopped_cpu.h"

/**
 * struct explain - one crash
 * @death: what the kernel printed
 * @panic: the report of its panic; NULL: none
 * @cause: what panic() was called for, or the fatal oops; NULL: none
 * @said: the text of the panic; of a stamp, where it was not printed; a text of NULL: none
 * @fault: the numbers of @cause, or of @panic without one
 * @completed: @cause or @panic, with the place and the frames that the recorder kept where the
 *	kernel printed none; @cause or @panic points to it then
 */
struct explain {
	struct postmortem *pm;
	const struct death *death;
	const struct kernel_report *panic;
	const struct kernel_report *cause;
	struct report_text said;
	struct fault_text fault;
	struct kernel_report completed;
	struct stopped_cpu stopped;
	struct history history;
	struct finding *finding;
};

/**
 * explain_death() - find out why
 * @finding: filled in
 * @pm: after pm_scan()
 */
int explain_death(struct finding *finding, struct postmortem *pm, struct err *err);

/*
 * Each returns true if the crash is of its kinds, and fills in the finding.  They are asked in the
 * order of explain.c.
 */
bool judge_machine_check(struct explain *explain);
bool judge_sysrq(struct explain *explain);
bool judge_init(struct explain *explain);
bool judge_root(struct explain *explain);
bool judge_filesystem(struct explain *explain);
bool judge_memory(struct explain *explain);
bool judge_hung_task(struct explain *explain);
bool judge_lockup(struct explain *explain);
bool judge_rcu_stall(struct explain *explain);
bool judge_stack(struct explain *explain);
bool judge_access(struct explain *explain);
bool judge_check(struct explain *explain);
bool judge_exception(struct explain *explain);
bool judge_panic_call(struct explain *explain);
bool judge_end(struct explain *explain);

/* Asks the history of the tasks that judge_hung_task() speaks of. */
void stuck_ask(struct explain *explain);

#endif
