// SPDX-License-Identifier: GPL-2.0-or-later
#include "stack_guard.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "judge/words.h"
#include "kernel_state/unwind.h"
#include "linux_kernel/vmem.h"

#define GUARD_OF_CPU	40		/* arch/x86/include/asm/processor.h, struct fixed_percpu_data */
#define MOST_BYTES	(1U << 20)	/* of a module's code */
#define MOST_OF_FRAME	4096

/**
 * struct guard - what is known of it
 * @canary: of the task
 * @of_cpu: the CPU's word, which is the task's canary from one switch to the next
 * @on_stack: what the function has that may be its guard; 0: nothing but the canary
 * @adder: "f+0x0/0x10 [module]", the only function of a module on the stack that adds to that word where a pointer is NULL
 */
struct guard {
	u64 canary;
	u64 of_cpu;
	u64 on_stack;
	char adder[KERNEL_SYMBOL_MAX];
	u32 nr_adders;
};

static const struct kernel_task *task_that_died(const struct explain *explain, const struct kernel_tasks *tasks)
{
	struct report_text pid = explain->panic ? explain->panic->pid : (struct report_text){ NULL, 0 };

	for (u32 i = 0; pid.text && i < tasks->nr; i++)
		if (tasks->list[i].is_running && tasks->list[i].cpu == tasks->kernel->cpu && (u64)tasks->list[i].pid == report_text_number(pid, pid.text, 10))
			return &tasks->list[i];
	return NULL;
}

/* Of the function that is named behind "corrupted in: ", the word that is the canary but for its lower half. */
static u64 guard_on_stack(const struct explain *explain, const struct kernel *kernel, const struct kernel_stack *stack, u64 canary)
{
	char name[KERNEL_SYMBOL_MAX];
	u64 word;

	for (u32 i = 0; i < stack->nr_sure; i++) {
		const struct kernel_frame *frame = &stack->frames[i];

		if (!kernel_frame_name(kernel, frame, name, sizeof(name)) || !report_text_has(explain->said, name) || frame->top < frame->sp)
			continue;
		for (u64 at = frame->sp; at < frame->top && at - frame->sp < MOST_OF_FRAME; at += 8)
			if (vmem_number(kernel->vmem, at, 8, &word) && word != canary && word >> 32 == canary >> 32)
				return word;
	}
	return 0;
}

static bool adds_to_guard(const struct instruction_set *set, const u8 *bytes, u32 len, u64 ip)
{
	struct instruction one;

	for (u32 at = 0; at < len; at += one.len) {
		if (!instruction_decode(&one, set, bytes + at, len - at, ip + at))
			return false;
		for (u32 i = 0; i < one.nr_accesses; i++)
			if (one.accesses[i].reads && one.accesses[i].writes && one.accesses[i].base >= 0 && one.accesses[i].index < 0 &&
			    one.accesses[i].offset == GUARD_OF_CPU && strstr(one.text, "gs:["))
				return true;
	}
	return false;
}

static void find_adders(struct guard *guard, const struct kernel *kernel, const struct kernel_module *module)
{
	struct function_code *code = malloc(sizeof(*code));
	struct module_walk walk = { .kernel = kernel, .module = module, .most = MOST_BYTES };

	while (code && function_code_next(code, &walk))
		if ((adds_to_guard(code->set, code->bytes, code->len, code->start) || adds_to_guard(code->set, code->cold, code->cold_len, code->cold_start)) &&
		    ++guard->nr_adders)
			snprintf(guard->adder, sizeof(guard->adder), "%.80s+0x0/0x%x [%.60s]", code->name, code->size, code->module);
	free(code);
}

/* Of the modules on the stack, each once. */
static void find_all_adders(struct guard *guard, const struct kernel *kernel, const struct kernel_stack *stack)
{
	const struct kernel_module *module, *last = NULL;

	for (u32 i = 0; kernel->modules && instruction_can_decode() && i < stack->nr_sure; i++) {
		module = kernel_modules_at(kernel->modules, stack->frames[i].ip);
		if (!module || module == last)
			continue;
		find_adders(guard, kernel, module);
		last = module;
	}
}

static bool read_guard(struct guard *guard, const struct explain *explain, const struct kernel_tasks *tasks, const struct kernel_task *task)
{
	const struct kernel *kernel = explain->kernel;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_unwinder *unwinder = NULL;
	struct err err = ERR_INIT;
	bool is = false;
	u64 at;

	*guard = (struct guard){ 0 };
	if (stack && !kernel_unwinder_open(&unwinder, tasks, &err) && kernel_state_member(kernel, "task_struct", "stack_canary", task->va, &guard->canary) &&
	    kernel_percpu(kernel, "fixed_percpu_data", task->cpu, &at) && vmem_number(kernel->vmem, at + GUARD_OF_CPU, 8, &guard->of_cpu)) {
		kernel_unwind(unwinder, task, stack);
		guard->on_stack = guard_on_stack(explain, kernel, stack, guard->canary);
		find_all_adders(guard, kernel, stack);
		is = true;
	}
	kernel_unwinder_close(unwinder);
	free(stack);
	return is;
}

/* A count that was lost in that word leaves it a little more than it was; so does a byte that was written over. */
static void claim_guard(struct explain *explain, const struct guard *guard, const struct kernel_task *task)
{
	struct finding *finding = explain->finding;
	char adder[2 * WORDS_FUNCTION];
	bool is_of_cpu = guard->of_cpu != guard->canary;

	words_place(adder, (struct report_text){ guard->adder, (u32)strlen(guard->adder) });
	if (guard->nr_adders == 1)
		finding_claim(finding, "stack-overflow", FINDING_LIKELY,
			      "No stack was overwritten: the word by which CPU %u guards return addresses was changed, at 0x%x of its area. %s adds there, if its per-CPU pointer is NULL.",
			      task->cpu, GUARD_OF_CPU, adder);
	else
		finding_claim(finding, "stack-overflow", FINDING_LIKELY,
			      "No stack was overwritten: the word by which CPU %u guards return addresses was changed, at 0x%x of its area.", task->cpu, GUARD_OF_CPU);
	finding_open(finding, guard->nr_adders == 1 ? "Why the pointer was not set: it is used before alloc_percpu(), or that failed. The function that found it is innocent." :
						      "Who writes there: this_cpu_inc() and the like, by a pointer of alloc_percpu() that is NULL. The function that found it is innocent.");
	finding_evidence_timeless(finding, "the canary of %s-%d is %016llx, the word of CPU %u is %016llx", task->comm, task->pid, guard->canary, task->cpu, guard->of_cpu);
	if (!is_of_cpu)
		finding_evidence_timeless(finding, "the function has %016llx on its stack, the canary plus %lld: the CPU's word had that when it began", guard->on_stack,
					  (long long)(guard->on_stack - guard->canary));
}

enum stack_guard stack_guard_ask(struct explain *explain)
{
	const struct kernel *kernel = explain->kernel;
	enum stack_guard ret = GUARD_NOT_KNOWN;
	const struct kernel_task *task;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	struct guard guard;

	if (kernel && kernel->machine != EM_X86_64)
		return GUARD_OF_STACK;
	if (!kernel || kernel_tasks_open(&tasks, kernel, &err))
		return GUARD_NOT_KNOWN;
	task = task_that_died(explain, tasks);
	if (task && read_guard(&guard, explain, tasks, task)) {
		if (guard.of_cpu != guard.canary || (guard.on_stack > guard.canary && guard.nr_adders == 1))
			ret = GUARD_OF_CPU;
		else if (!guard.nr_adders)
			ret = GUARD_OF_STACK;
		if (ret == GUARD_OF_CPU)
			claim_guard(explain, &guard, task);
	}
	kernel_tasks_close(tasks);
	return ret;
}
