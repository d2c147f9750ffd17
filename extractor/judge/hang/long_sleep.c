// SPDX-License-Identifier: GPL-2.0-or-later
#include "long_sleep.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"

#define FOREVER	(1ULL << 60)	/* ticks: for a time below zero the kernel takes MAX_JIFFY_OFFSET, half of what there is */
#define LONG_S	600ULL

static bool read_variable(u64 *value, const struct kernel *kernel, const char *name)
{
	u64 at;

	return kernel->kallsyms && kallsyms_address(kernel->kallsyms, name, &at) && vmem_number(kernel->vmem, at, 8, value);
}

/*
 * When the timer on the stack of @task is due that wakes it: struct process_timer of kernel/time/timer.c. By the kernel's own function, and
 * by the task that it names.
 */
static bool find_due(u64 *expires, const struct kernel *kernel, const struct kernel_task *task, u32 stack_size)
{
	struct btf_member_place function, due, owner;
	u64 wakes, value, names, words = stack_size / 8;
	u64 *stack;
	bool found = false;

	if (!kernel->kallsyms || !kernel->ktypes || !kallsyms_address(kernel->kallsyms, "process_timeout", &wakes) ||
	    !kernel_btf_member(kernel->ktypes, "timer_list", "function", &function) || !kernel_btf_member(kernel->ktypes, "timer_list", "expires", &due) ||
	    !kernel_btf_member(kernel->ktypes, "process_timer", "task", &owner) || task->sp - task->stack >= stack_size)
		return false;
	stack = malloc(stack_size);
	if (!stack || !vmem_get(kernel->vmem, task->stack, stack, stack_size))
		words = 0;
	for (u64 i = (task->sp - task->stack) / 8; i < words && !found; i++) {
		u64 timer = task->stack + 8 * i - function.offset;

		if (stack[i] != wakes || !vmem_number(kernel->vmem, timer + owner.offset, 8, &names) || names != task->va ||
		    !vmem_number(kernel->vmem, timer + due.offset, 8, &value))
			continue;
		*expires = value;
		found = true;
	}
	free(stack);
	return found;
}

void long_sleep_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1], *first = chain->tasks[0];
	u64 expires, now, tick_ns, left;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION];

	if (chain->is_cycle || chain->last_waits || last->is_running || last->state == 'R' || !find_due(&expires, kernel, last, owners->tasks->stack_size) ||
	    !read_variable(&now, kernel, "jiffies_64") || !read_variable(&tick_ns, kernel, "tick_nsec") || expires <= now || tick_ns < 100000 || tick_ns > 100000000)
		return;
	if (expires - now < FOREVER) {
		left = (expires - now) / 1000 * tick_ns / 1000000;
		if (left > LONG_S)
			finding_evidence_timeless(explain->finding, "%s-%d sleeps for a time: its timer is due %llu s after the end", last->comm, last->pid, left);
		return;
	}
	finding_evidence_timeless(explain->finding, "%s-%d sleeps for a time: its timer is due in 0x%llx ticks of the clock, as for a time below zero", last->comm, last->pid,
				  expires - now);
	owners_name_wait(owners, kernel, last, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	if (chain->nr > 1)
		finding_claim(explain->finding, explain->finding->kind, chain->is_sure ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits for a lock, and at the end of the chain %s-%d holds it and sleeps for ever, in %s: the time that it was given is below zero.",
			      first->comm, first->pid, last->comm, last->pid, place);
	else
		finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
			      "%s-%d sleeps for ever, in %s: the time that it was given is below zero.", last->comm, last->pid, place);
	finding_open(explain->finding, "Which subtraction that is from: what was to take a part of a time took longer than all of it. Who waits for the lock is innocent.");
}
