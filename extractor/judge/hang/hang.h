/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judges of what did not go on. */
#ifndef EPITAPH_JUDGE_HANG_H
#define EPITAPH_JUDGE_HANG_H

#include "judge/judge.h"

bool judge_deadlock(struct explain *explain);
bool judge_hung_task(struct explain *explain);
bool judge_listed(struct explain *explain);
bool judge_lockdep(struct explain *explain);
bool judge_lockup(struct explain *explain);
bool judge_nmi(struct explain *explain);
bool judge_rcu_stall(struct explain *explain);

/*
 * Where the task of @report waits. A work function that left its last call to another one is not on the stack, but the kernel names it,
 * without an offset: "Workqueue: card load_work [module]".
 */
struct report_text hung_task_place(const struct explain *explain, const struct kernel_report *report);

/* "a mutex", by the functions of its call trace; NULL: none of them says so. */
const char *hung_task_wants(const struct kernel_report *report);

/* Ask the history of the tasks that judge_hung_task() and judge_rcu_stall() speak of. */
void hung_task_ask(struct explain *explain);
void rcu_stall_ask(struct explain *explain);

/* Asks the history of the tasks that sysrq listed last; what it listed is noted, where it is not the claim. */
void listed_ask(struct explain *explain);
void listed_note(struct explain *explain);

/*
 * Of a machine that was made to crash: notes a deadlock, and who waits for a lock whose owner has ended, or died of an
 * oops with it. Nothing without memory.
 */
void blocked_note(struct explain *explain);

/* What tasks wait for in functions of @module, so that no signal wakes them, as evidence. False: none does, or no memory. */
bool module_waits_add(struct explain *explain, const char *module);

/* Who slept within the module that died, with an object on its stack that a register points to, as evidence. Takes a vmcore. */
void module_sleepers_add(struct explain *explain);

/*
 * The only task within the module that ran since the one that died slept last, as evidence, and as what to ask. Without a
 * dump: the only one at all, beside the kernel's own, that fell asleep in another way than before.
 */
void module_between_add(struct explain *explain);

#endif
