// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/btf.h"

/**
 * struct own_wait - a task that is one of those that it waits for
 * @waits, @within: functions that begin so: in which it waits, without @member in nothing that this calls; and what called that, directly
 *	or not
 * @member: of task_struct, which is not 0 then; NULL: any
 * @is_alone: only if no other task is within @within
 * @is_direct: others are within @within as a rule, and then it is not claimed at all
 */
struct own_wait {
	const char *waits, *within, *member;
	bool is_alone;
	bool is_direct;
	const char *words;
};

static const struct own_wait own_waits[] = {
	{ "async_synchronize_", "async_run_entry_fn", NULL, true, false,
	  "waits there for such functions to end" },
	{ "kernfs_drain", "kernfs_fop_", NULL, true, false,
	  "it reads or writes a file of sysfs, and removes one there: that waits for all that use it" },
	{ "rpm_resume", "__rpm_callback", NULL, true, true,
	  "it runs a callback of runtime PM, suspend or resume of a device, and waits for the end of that (pm_runtime_get_sync() or its like)" },
	{ "synchronize_irq", "irq_thread_fn", NULL, true, false,
	  "it is the thread of an interrupt, and waits until such a thread has come back (disable_irq(), synchronize_irq(), free_irq())" },
	{ "__synchronize_irq", "irq_thread_fn", NULL, true, false,
	  "it is the thread of an interrupt, and waits until such a thread has come back (disable_irq(), synchronize_irq(), free_irq())" },
	{ "synchronize_irq", "irq_forced_thread_fn", NULL, true, false,
	  "it is the thread of an interrupt, and waits until such a thread has come back (disable_irq(), synchronize_irq(), free_irq())" },
	{ "__wait_rcu_gp", "", "rcu_read_lock_nesting", false, false,
	  "it waits for all readers of RCU to end (synchronize_rcu()), and is between rcu_read_lock() and rcu_read_unlock() itself" },
	{ "synchronize_rcu", "", "rcu_read_lock_nesting", false, false,
	  "it waits for all readers of RCU to end (synchronize_rcu()), and is between rcu_read_lock() and rcu_read_unlock() itself" },
};

/* What only gives up the CPU. */
static bool only_sleeps(const char *function)
{
	return !strcmp(function, "__switch_to") || !strcmp(function, "__schedule") || !strcmp(function, "schedule");
}

static bool sleeps_in_frame(const struct explain *explain, const struct kernel_stack *stack, u32 at)
{
	char function[KERNEL_SYMBOL_MAX];

	while (at-- > 0)
		if (!kernel_frame_function(explain->pm->kernel, &stack->frames[at], function, sizeof(function)) || !only_sleeps(function))
			return false;
	return true;
}

static bool is_own_wait(const struct explain *explain, const struct own_wait *own, const struct kernel_task *task, const struct kernel_stack *stack)
{
	u32 at = owners_frame(explain->pm->kernel, stack, own->waits, 0);
	u64 value;

	/* What it calls may wait for a lock, before or behind its own wait. */
	if (task->is_running || task->state == 'R' || at == stack->nr_sure || (!own->member && !sleeps_in_frame(explain, stack, at)))
		return false;
	/* Tasks RCU waits for no readers of RCU. */
	if (own->member && owners_frame(explain->pm->kernel, stack, "synchronize_rcu_tasks", 0) < stack->nr_sure)
		return false;
	if (own->member && (!kernel_state_member(explain->pm->kernel, "task_struct", own->member, task->va, &value) || !(u32)value))
		return false;
	return !*own->within || owners_frame(explain->pm->kernel, stack, own->within, at) < stack->nr_sure;
}

/* Is another task than @task within that? */
static bool others_within(const struct explain *explain, const struct owners *owners, const struct own_wait *own, const struct kernel_task *task,
			  struct kernel_stack *stack)
{
	for (u32 i = 0; i < owners->tasks->nr; i++) {
		const struct kernel_task *other = &owners->tasks->list[i];

		if (other == task)
			continue;
		kernel_unwind(owners->unwinder, other, stack);
		if (owners_frame(explain->pm->kernel, stack, own->within, 0) < stack->nr_sure || (own->is_direct && !stack->nr_sure) ||
		    (other->is_running && other->pid && stack->end == KSTACK_NOT_UNWOUND))
			return true;
	}
	return false;
}

/* "asynchronous function disk_probe() of module sd" that the worker @task runs, kernel/async.c; else without its name. */
static void put_async(char text[FINDING_TEXT / 2], const struct explain *explain, const struct kernel_task *task)
{
	const struct kernel *kernel = explain->pm->kernel;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];
	struct btf_member_place member;
	u64 kthread, worker, work, function;

	snprintf(text, FINDING_TEXT / 2, "an asynchronous function (async_schedule())");
	if (!(task->flags & KERNEL_TASK_WORKER) || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "async_entry", "work", &member) ||
	    !kernel_state_member(kernel, "task_struct", "worker_private", task->va, &kthread) ||
	    !kernel_state_member(kernel, "kthread", "data", kthread, &worker) ||
	    !kernel_state_member(kernel, "worker", "current_work", worker, &work) || !work ||
	    !kernel_state_member(kernel, "async_entry", "func", work - member.offset, &function) ||
	    !kernel_symbol(kernel, function, name, sizeof(name)))
		return;
	words_place(place, (struct report_text){ name, strlen(name) });
	snprintf(text, FINDING_TEXT / 2, "the asynchronous function %.100s", place);
}

/* Does @task wait for itself? Then that is the claim. */
static bool claim_own_wait(struct explain *explain, const struct owners *owners, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct own_wait *own = NULL;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION], async[FINDING_TEXT / 2], words[FINDING_TEXT];
	bool is_sure;

	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (size_t i = 0; stack && i < ARRAY_SIZE(own_waits) && !own; i++)
		if (is_own_wait(explain, &own_waits[i], task, stack))
			own = &own_waits[i];
	is_sure = own && (!own->is_alone || !others_within(explain, owners, own, task, stack));
	if (own && own->is_direct && !is_sure)
		own = NULL;
	if (own) {
		owners_name_wait(owners, explain->pm->kernel, task, name);
		words_place(place, (struct report_text){ name, strlen(name) });
		if (!strcmp(own->within, "async_run_entry_fn")) {
			put_async(async, explain, task);
			snprintf(words, sizeof(words), "it runs %s, and %s", async, own->words);
		} else {
			snprintf(words, sizeof(words), "%s", own->words);
		}
		owners_name_module(owners, explain->pm->kernel, task, by);
		finding_claim(explain->finding, explain->finding->kind, is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits for itself, in %s%s%s: %s.", task->comm, task->pid, place, *by ? ", called by " : "", by, words);
		finding_open(explain->finding, is_sure ? "Which of its callers must not call that there; epitaph info --stacks FILE has its stack." :
							 "Whether it is that, or another task that does the same; epitaph info --stacks FILE has their stacks.");
	}
	free(stack);
	return own;
}

void own_wait_claim(struct explain *explain, const struct owners *owners, const u64 *pids, u32 nr)
{
	const struct kernel_chain *chain = owners->chain;

	if (chain->is_cycle || claim_own_wait(explain, owners, chain->tasks[chain->nr - 1]))
		return;
	for (u32 i = 0; i < nr; i++) {
		const struct kernel_task *task = owners_task(owners, pids[i]);

		if (task && claim_own_wait(explain, owners, task))
			return;
	}
}

const char *own_wait_words(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	for (size_t i = 0; i < ARRAY_SIZE(own_waits); i++) {
		bool waits = false;

		/* Those of async functions need the name of that. */
		for (u32 k = 0; k < report->nr_frames && !own_waits[i].member && !strncmp(own_waits[i].words, "it ", 3); k++) {
			words_function(function, report->frames[k]);
			if (!waits && !only_sleeps(function) && strncmp(function, own_waits[i].waits, strlen(own_waits[i].waits)))
				break;
			if (waits && !strncmp(function, own_waits[i].within, strlen(own_waits[i].within)))
				return own_waits[i].words;
			waits |= !strncmp(function, own_waits[i].waits, strlen(own_waits[i].waits));
		}
	}
	return NULL;
}
