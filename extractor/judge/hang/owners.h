/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What is opened of a dumped kernel to find who holds what. */
#ifndef EPITAPH_JUDGE_OWNERS_H
#define EPITAPH_JUDGE_OWNERS_H

#include "judge/judge.h"
#include "judge/words.h"
#include "kernel_state/waits.h"

/**
 * struct owners - the tasks of a kernel, and what they wait for
 * @chain: of the task that is asked about; the caller fills it in
 */
struct owners {
	struct kernel_tasks *tasks;
	struct kernel_unwinder *unwinder;
	struct kernel_waits *waits;
	struct kernel_chain *chain;
};

/*
 * A task that the dump lacks has its name by the kernel's line that it hangs, if there is one.
 *
 * False: the dump does not have them. The caller closes it then as well.
 */
bool owners_open(struct owners *owners, const struct explain *explain);

void owners_close(struct owners *owners);

/* NULL: there is none. */
const struct kernel_task *owners_task(const struct owners *owners, u64 pid);

/* The function in which @task waits; "": it is not known. */
void owners_name_wait(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task,
		      char name[KERNEL_SYMBOL_MAX]);

/* The function of a module that called that, if it is of no module itself; "": there is none near. */
void owners_name_module(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task,
			char by[2 * WORDS_FUNCTION]);

/* Of a task that ran: in @by the nearest function of a module on its stack, and in @name what that had called; without that it is @name. */
void owners_name_run(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, char name[KERNEL_SYMBOL_MAX],
		     char by[2 * WORDS_FUNCTION]);

/* The number of the first frame, from @from on, whose function begins with @word; nr_sure: none. */
u32 owners_frame(const struct kernel *kernel, const struct kernel_stack *stack, const char *word, u32 from);

/* A task that waits for a lock which @task has, as the lock itself says; NULL: there is none. */
const struct kernel_task *owners_waiter_for(const struct owners *owners, const struct kernel_task *task);

/* Has @task run since @waiter fell asleep, by the clock of the scheduler? 0: it has not; 1: it has; -1: that is not known. */
int owners_ran_since(const struct kernel *kernel, const struct kernel_task *task, const struct kernel_task *waiter);

/* Does it run in user space, or was it on its way there when another one came? Then it is in no function of the kernel. */
bool owners_is_in_user_space(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task);

/* Has the stack of @task such a function? */
bool owners_is_within(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, const char *word);

#endif
