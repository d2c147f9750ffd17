// SPDX-License-Identifier: GPL-2.0-or-later
#include "owners.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_state/last_run.h"

void owners_close(struct owners *owners)
{
	free(owners->chain);
	kernel_waits_close(owners->waits);
	kernel_unwinder_close(owners->unwinder);
	kernel_tasks_close(owners->tasks);
}

/* "INFO: task NAME:PID blocked": the newest line of the pid. */
static void name_lacking(const struct death *death, struct kernel_task *task)
{
	for (u32 i = 0; i < death->reports.nr; i++) {
		struct report_text of = kernel_report_hung_task(&death->reports.list[i]);
		const char *colon = of.len ? memrchr(of.text, ':', of.len) : NULL;

		if (colon && colon > of.text && report_text_number(of, colon + 1, 10) == (u64)task->pid)
			snprintf(task->comm, sizeof(task->comm), "%.*s", (int)(colon - of.text), of.text);
	}
}

bool owners_open(struct owners *owners, const struct explain *explain)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct err err = ERR_INIT;

	*owners = (struct owners){ .chain = malloc(sizeof(*owners->chain)) };
	if (!owners->chain || kernel_tasks_open(&owners->tasks, kernel, &err))
		return false;
	for (u32 i = 0; owners->tasks->nr_lacking && i < owners->tasks->nr; i++)
		if (owners->tasks->list[i].is_lacking)
			name_lacking(explain->death, &owners->tasks->list[i]);
	return !kernel_unwinder_open(&owners->unwinder, owners->tasks, &err) &&
	       !kernel_waits_open(&owners->waits, owners->tasks, owners->unwinder, &err);
}

const struct kernel_task *owners_task(const struct owners *owners, u64 pid)
{
	for (u32 i = 0; i < owners->tasks->nr; i++)
		if ((u64)owners->tasks->list[i].pid == pid)
			return &owners->tasks->list[i];
	return NULL;
}

void owners_name_wait(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task,
		      char name[KERNEL_SYMBOL_MAX])
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char function[WORDS_FUNCTION] = "";

	*name = '\0';
	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; stack && i < stack->nr_sure; i++) {
		kernel_frame_name(kernel, &stack->frames[i], name, KERNEL_SYMBOL_MAX);
		words_function(function, (struct report_text){ name, strlen(name) });
		if (*function && !plumbing_has(function))
			break;
		*name = '\0';
	}
	free(stack);
}

#define NEAR_FRAMES	4	/* in which a module stands that the kernel's code waits for */

void owners_name_module(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task,
			char by[2 * WORDS_FUNCTION])
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char name[KERNEL_SYMBOL_MAX], function[WORDS_FUNCTION];
	u32 nr = 0;

	*by = '\0';
	if (stack && !task->is_running)
		kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; stack && !task->is_running && i < stack->nr_sure && nr < NEAR_FRAMES; i++) {
		struct fault_text of = { 0 };

		kernel_frame_name(kernel, &stack->frames[i], name, sizeof(name));
		words_function(function, (struct report_text){ name, strlen(name) });
		if (!nr && plumbing_has(function))
			continue;
		fault_text_take_module(&of, (struct report_text){ name, strlen(name) });
		if (*of.module && nr)
			words_place(by, (struct report_text){ name, strlen(name) });
		if (*of.module)
			break;
		nr++;
	}
	free(stack);
}

void owners_name_run(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, char name[KERNEL_SYMBOL_MAX],
		     char by[2 * WORDS_FUNCTION])
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char frame[KERNEL_SYMBOL_MAX];
	bool is_found = false;

	*name = *by = '\0';
	if (stack)
		kernel_unwind(owners->unwinder, task, stack);
	for (u32 i = 0; stack && i < stack->nr_sure && !is_found; i++) {
		struct fault_text of = { 0 };

		/* What an interrupt runs is none of the task's. */
		if (stack->frames[i].stack != KSTACK_TASK)
			continue;
		kernel_frame_name(kernel, &stack->frames[i], frame, sizeof(frame));
		fault_text_take_module(&of, (struct report_text){ frame, strlen(frame) });
		is_found = *of.module;
		if (is_found && *name)
			words_place(by, (struct report_text){ frame, strlen(frame) });
		else
			memcpy(name, frame, sizeof(frame));
	}
	if (!is_found)
		*name = '\0';
	free(stack);
}

u32 owners_frame(const struct kernel *kernel, const struct kernel_stack *stack, const char *word, u32 from)
{
	char name[KERNEL_SYMBOL_MAX];
	u32 i;

	for (i = from; i < stack->nr_sure; i++)
		if (kernel_frame_function(kernel, &stack->frames[i], name, sizeof(name)) && !strncmp(name, word, strlen(word)))
			break;
	return i;
}

const struct kernel_task *owners_waiter_for(const struct owners *owners, const struct kernel_task *task)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	const struct kernel_task *found = NULL;
	struct kernel_wait wait;

	for (u32 i = 0; stack && i < owners->tasks->nr && !found; i++) {
		const struct kernel_task *other = &owners->tasks->list[i];

		if (other == task || other->is_running || other->state == 'R')
			continue;
		kernel_unwind(owners->unwinder, other, stack);
		if (kernel_wait_of(owners->waits, other, stack, &wait) && wait.owner == task && wait.owner_kind == KOWNER_SHOWN)
			found = other;
	}
	free(stack);
	return found;
}

#define MARGIN_NS	1000000000ULL	/* between a wait and what it is for */

int owners_ran_since(const struct kernel *kernel, const struct kernel_task *task, const struct kernel_task *waiter)
{
	u64 ran_from, ran_to, slept_from, slept_to;

	if (!last_run_read(&ran_from, &ran_to, kernel, task) || !last_run_read(&slept_from, &slept_to, kernel, waiter))
		return -1;
	if (ran_from >= slept_to + MARGIN_NS)
		return 1;
	return ran_to < slept_from + MARGIN_NS ? 0 : -1;
}

bool owners_is_in_user_space(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task)
{
	static const char *const leaves[] = {
		"exit_to_user_mode", "irqentry_exit", "syscall_exit_to_user_mode", "prepare_exit_to_usermode", "do_notify_resume", NULL,
	};
	static const char *const others[] = { "__switch_to", "__schedule", "schedule", "asm_", "entry_", "do_syscall_64", "el0", "ret_to_user", NULL };
	struct kernel_stack *stack = malloc(sizeof(*stack));
	char name[KERNEL_SYMBOL_MAX];
	bool is = false, has_left = false;

	if (stack) {
		kernel_unwind(owners->unwinder, task, stack);
		is = stack->end == KSTACK_END_USER && (task->is_running || task->state == 'R');
		has_left = !stack->nr_sure;
		for (u32 i = 0; is && i < stack->nr_sure; i++) {
			is = kernel_frame_function(kernel, &stack->frames[i], name, sizeof(name));
			has_left |= is && plumbing_begins(name, leaves);
			is &= plumbing_begins(name, leaves) || plumbing_begins(name, others);
		}
	}
	free(stack);
	return is && has_left;
}

bool owners_is_within(const struct owners *owners, const struct kernel *kernel, const struct kernel_task *task, const char *word)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	bool is = false;

	if (stack) {
		kernel_unwind(owners->unwinder, task, stack);
		is = owners_frame(kernel, stack, word, 0) < stack->nr_sure;
	}
	free(stack);
	return is;
}
