// SPDX-License-Identifier: GPL-2.0-or-later
#include "left_stack.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "access_words.h"
#include "fault/function_code.h"
#include "judge/words.h"
#include "kernel_state/unwind.h"
#include "kernel_state/vmalloc_areas.h"

/* The register that the base was read from, which has that address still, but for what was added to it since; -1: none. */
static s32 read_from(const struct function_code *code, s32 base)
{
	struct instruction one;
	s32 from = INSTRUCTION_NO_REGISTER;

	for (u32 at = 0; at < code->at; at += one.len) {
		if (!function_code_decode(code, at, &one))
			return INSTRUCTION_NO_REGISTER;
		if (one.effect == INSTRUCTION_LOAD && one.to == base)
			from = one.written & 1U << one.from ? INSTRUCTION_NO_REGISTER : one.from;
		else if (one.written & 1U << base)
			from = INSTRUCTION_NO_REGISTER;
		else if (from >= 0 && one.written & 1U << from && !(one.effect == INSTRUCTION_COPY && one.to == from && one.from == from))
			from = INSTRUCTION_NO_REGISTER;
	}
	return from;
}

bool left_stack_reading(const struct explain *explain, u64 *address, const struct kernel_module **module)
{
	const struct faulting_access *access = &explain->access;
	struct function_code *code = malloc(sizeof(*code));
	s32 from = INSTRUCTION_NO_REGISTER;

	*module = NULL;
	if (code && instruction_can_decode() && access_is_traced(explain) && explain->fault.access != FAULT_CALL && function_code_read(code, explain->kernel, explain->death, explain->cause) && code->start && !code->from && *code->module &&
	    access->memory.base >= 0 && access->memory.index < 0) {
		from = read_from(code, access->memory.base);
		*module = explain->kernel->modules ? kernel_modules_at(explain->kernel->modules, code->start) : NULL;
	}
	free(code);
	return from >= 0 && *module && fault_text_register(&explain->fault, instruction_register(access->instruction.set, from), address);
}

/* May the function that has that part of the stack have a variable there? Below the stack pointer, and in what only waits, is none. */
static bool is_of_function(const struct kernel *kernel, const struct kernel_stack *stack, u64 address)
{
	char name[KERNEL_SYMBOL_MAX];

	if (stack->nr_sure && address < stack->frames[0].sp)
		return false;
	for (u32 i = 0; i < stack->nr_sure; i++)
		if (stack->frames[i].top && address < stack->frames[i].top)
			return !kernel_frame_function(kernel, &stack->frames[i], name, sizeof(name)) || !plumbing_is_of_waiting(name);
	return true;
}

/* May the task that has the stack now have given its address away? */
static bool may_be_in_use(const struct kernel_tasks *tasks, const struct kernel_task *task, const struct kernel_module *module, u64 address)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_unwinder *unwinder = NULL;
	struct err err = ERR_INIT;
	bool may = true;

	if (stack && !kernel_unwinder_open(&unwinder, tasks, &err)) {
		kernel_unwind(unwinder, task, stack);
		may = stack->end == KSTACK_END_BROKEN || stack->end == KSTACK_NOT_UNWOUND || is_of_function(tasks->kernel, stack, address);
		for (u32 i = 0; i < stack->nr_sure && !may; i++)
			may = kernel_modules_at(tasks->kernel->modules, stack->frames[i].ip) == module;
	}
	kernel_unwinder_close(unwinder);
	free(stack);
	return may;
}

bool left_stack_has(char whose[WORDS_TASK], const struct explain *explain, u64 address)
{
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_unwinder *unwinder = NULL;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	bool has = false;

	if (stack && explain->kernel && !kernel_tasks_open(&tasks, explain->kernel, &err) && !kernel_unwinder_open(&unwinder, tasks, &err))
		for (u32 i = 0; i < tasks->nr && !has; i++) {
			const struct kernel_task *task = &tasks->list[i];

			if (!task->stack || address - task->stack >= tasks->stack_size || task->is_running || task->is_lacking)
				continue;
			kernel_unwind(unwinder, task, stack);
			has = stack->end != KSTACK_END_BROKEN && stack->end != KSTACK_NOT_UNWOUND && !is_of_function(tasks->kernel, stack, address);
			snprintf(whose, WORDS_TASK, "%s-%d", task->comm, task->pid);
		}
	kernel_unwinder_close(unwinder);
	kernel_tasks_close(tasks);
	free(stack);
	return has;
}

/* Who asks vmalloc() for stacks: kernel/fork.c. */
static bool is_area_of_stack(const struct kernel *kernel, u64 address)
{
	static const char *const words[] = { "alloc_thread_stack", "dup_task_struct", "copy_process", "kernel_clone", NULL };
	char name[KERNEL_SYMBOL_MAX];
	struct vmalloc_area area;

	return vmalloc_area_at(kernel, address, &area) && kernel_caller(kernel, area.caller, name, sizeof(name)) && plumbing_begins(name, words);
}

static void claim_stack(struct explain *explain, const struct kernel_tasks *tasks, const char *place, u64 address, u64 sp,
			const struct kernel_module *module)
{
	const struct kernel_task *of = NULL;
	char whose[80];

	if (sp - (address & ~(u64)(tasks->stack_size - 1)) < tasks->stack_size)
		return;
	for (u32 i = 0; i < tasks->nr && !of; i++)
		if (tasks->list[i].stack && address - tasks->list[i].stack < tasks->stack_size)
			of = &tasks->list[i];
	/* Of tasks that were not found, one may have it. */
	if (of ? may_be_in_use(tasks, of, module, address) : tasks->notes.nr || !is_area_of_stack(tasks->kernel, address))
		return;
	if (of)
		snprintf(whose, sizeof(whose), "that %s-%d has now, in no function of this module", of->comm, of->pid);
	else
		snprintf(whose, sizeof(whose), "of a task that has ended");
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s used the pointer %016llx, which it had read from a stack %s: a variable of a function that came back before.", place,
		      explain->access.pointer_value, whose);
	finding_evidence_timeless(explain->finding, "it was read near %016llx, and the stack of this task is at %016llx", address, sp);
	finding_open(explain->finding, "Who gave the address of a variable on its stack to what goes on when its function has come back. The task that has the stack now is innocent.");
}

void left_stack_claim(struct explain *explain, const char *place)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	u64 address, sp;

	if (!kernel || !left_stack_reading(explain, &address, &module) || !fault_text_stack(&sp, explain->death, explain->cause) || kernel_tasks_open(&tasks, kernel, &err))
		return;
	claim_stack(explain, tasks, place, address, sp, module);
	kernel_tasks_close(tasks);
}
