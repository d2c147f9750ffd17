// SPDX-License-Identifier: GPL-2.0-or-later
/* A task that only wake_up() wakes, and a module that calls wake_up_interruptible() alone: that passes over it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chain_claims.h"
#include "fault/argument.h"
#include "fault/calls.h"
#include "instruction/instruction.h"

#define MOST_BYTES	(1U << 20)	/* of a module's code */
#define TASK_INTERRUPTIBLE	1	/* include/linux/sched.h */

/**
 * struct wakers - what a module wakes by
 * @nr: functions that wake a queue, for tasks alone that a signal may wake
 * @name: of the last of them
 * @has_others: others wake a queue in another way, or a task
 */
struct wakers {
	u32 nr;
	char name[KERNEL_SYMBOL_MAX];
	bool has_others;
};

/* "mov esi, 1", the second argument, as the last that it was given before the call at @end. */
static bool is_for_interruptible(const struct function_code *code, u32 end)
{
	struct instruction one;
	bool is = false;

	for (u32 at = 0; at < end; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return false;
		if (one.is_call)
			is = false;
		else if (one.written & 1U << code->set->arguments[1])
			is = one.effect == INSTRUCTION_NUMBER && one.plus == 1;
	}
	return is;
}

/* Is it a queue that the code has as a number, and another one? */
static bool is_of_another(const struct function_code *code, u32 at, u64 lock)
{
	struct argument argument;

	return argument_read(&argument, code, at) && argument.base == INSTRUCTION_NO_REGISTER && (u64)argument.offset != lock;
}

static const char *const makes_thread[] = { "kthread_create_on_node", "kthread_create_on_cpu", NULL };

static void look_for_wakeups(struct wakers *wakers, const struct function_code *code, u64 lock)
{
	struct instruction one;
	struct ksym symbol;
	bool is_one = false;

	for (u32 at = 0; at < code->len; at += one.len) {
		if (!function_code_decode(code, at, &one)) {
			wakers->has_others = true;
			return;
		}
		if ((!one.is_call && !one.jumps) || !one.target || one.target - code->start < code->size ||
		    !kallsyms_find(code->kernel->kallsyms, one.target, &symbol) ||
		    (strncmp(symbol.name, "__wake_up", 9) && strncmp(symbol.name, "wake_up", 7) && strncmp(symbol.name, "swake_up", 8)))
			continue;
		if (!strcmp(symbol.name, "__wake_up") && is_of_another(code, at, lock))
			continue;
		/* A thread that it has made begins so. */
		if (!strcmp(symbol.name, "wake_up_process") && calls_one_of(code, makes_thread))
			continue;
		if (strcmp(symbol.name, "__wake_up") || !is_for_interruptible(code, at))
			wakers->has_others = true;
		else
			is_one = true;
	}
	/* What lies apart is not followed. */
	wakers->has_others |= is_one && code->cold_start;
	wakers->nr += is_one;
	if (is_one)
		snprintf(wakers->name, sizeof(wakers->name), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
}

static bool find_wakers(struct wakers *wakers, const struct kernel *kernel, const struct kernel_module *module, u64 lock)
{
	struct function_code *code = malloc(sizeof(*code));
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };

	*wakers = (struct wakers){ 0 };
	while (code && function_code_next(code, &walk))
		look_for_wakeups(wakers, code, lock);
	free(code);
	return module_walk_is_whole(&walk) && wakers->nr && !wakers->has_others;
}

/* The module whose own function sleeps there; NULL: what it called does, in its own queue. */
static const struct kernel_module *sleeping_module(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	static const char *const words[] = { "__switch_to", "__schedule", "schedule", "io_schedule", NULL };
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_module *module = NULL;
	char function[KERNEL_SYMBOL_MAX];
	u32 i = 0;

	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	while (stack && i < stack->nr_sure && kernel_frame_function(kernel, &stack->frames[i], function, sizeof(function)) && plumbing_begins(function, words))
		i++;
	if (stack && i && i < stack->nr_sure)
		module = kernel_modules_at(kernel->modules, stack->frames[i].ip);
	free(stack);
	return module;
}

void deaf_wait_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel *kernel = explain->pm->kernel;
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *last = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = &chain->waits[chain->nr - 1];
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION];
	const struct kernel_module *module;
	struct wakers wakers;

	/* A queue that is shared by many, or that was set up anew, has its own claim. */
	if (wait->is_renewed || !strncmp(wait->name, "bit_wait_table+", 15))
		return;
	if (chain->is_cycle || !chain->last_waits || wait->kind != KWAIT_QUEUE || wait->owner || last->state != 'D' || !kernel->modules ||
	    !kernel->kallsyms || !instruction_can_decode())
		return;
	module = sleeping_module(owners, kernel, last);
	if (!module || !find_wakers(&wakers, kernel, module, wait->lock))
		return;
	owners_name_wait(owners, kernel, last, name);
	words_place(place, (struct report_text){ name, strlen(name) });
	words_place(by, (struct report_text){ wakers.name, strlen(wakers.name) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits in %s in state D, and all that wakes queues in its module, as %s, calls wake_up_interruptible(), which passes over such a task.",
		      last->comm, last->pid, place, by);
	finding_open(explain->finding, "Whether what it waits for has come: then it lacks that wakeup alone. Either it has to wait by wait_event_interruptible(), or be woken by wake_up().");
}
