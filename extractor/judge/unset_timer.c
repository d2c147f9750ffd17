// SPDX-License-Identifier: GPL-2.0-or-later
#include "unset_timer.h"

#include <stdlib.h>
#include <string.h>

#include "fault/frame_register.h"
#include "fault/tail_jump.h"
#include "kernel_state/unwind.h"
#include "linux_kernel/vmem.h"
#include "words.h"

#define CPU_OF_FLAGS	0x3ffffU	/* TIMER_CPUMASK of include/linux/timer.h */

/**
 * struct given_timer - what the innermost function of a module gave to what it called
 * @by: that function, as a frame has it
 * @to: what it called
 */
struct given_timer {
	u64 address;
	char by[KERNEL_SYMBOL_MAX];
	char to[KERNEL_SYMBOL_MAX];
};

static bool read_given_timer(struct given_timer *given, const struct kernel *kernel, const struct kernel_task *task, const struct kernel_stack *stack)
{
	struct function_code *code = malloc(sizeof(*code));
	struct instruction call;
	bool is = false;
	u32 i = 0;

	while (i < stack->nr_sure && !kernel_modules_at(kernel->modules, stack->frames[i].ip))
		i++;
	if (code && i < stack->nr_sure && i && kernel_frame_name(kernel, &stack->frames[i], given->by, sizeof(given->by)) &&
	    function_code_read_caller(code, kernel, (struct report_text){ given->by, strlen(given->by) }) && tail_jump_call_before(&call, code) &&
	    kernel_symbol(kernel, call.target, given->to, sizeof(given->to)))
		is = strstr(given->to, "timer") && frame_given(&given->address, kernel, task, stack, i, code, code->at);
	free(code);
	return is;
}

static bool find_given_timer(struct given_timer *given, const struct explain *explain)
{
	const struct report_text pid = explain->cause->pid;
	const struct kernel *kernel = explain->pm->kernel;
	struct kernel_stack *stack = malloc(sizeof(*stack));
	struct kernel_unwinder *unwinder = NULL;
	struct kernel_tasks *tasks = NULL;
	struct err err = ERR_INIT;
	bool is = false;

	if (stack && pid.text && !kernel_tasks_open(&tasks, kernel, &err) && !kernel_unwinder_open(&unwinder, tasks, &err))
		for (u32 i = 0; i < tasks->nr && !is; i++) {
			if (!tasks->list[i].is_running || (u64)tasks->list[i].pid != report_text_number(pid, pid.text, 10))
				continue;
			kernel_unwind(unwinder, &tasks->list[i], stack);
			is = read_given_timer(given, kernel, &tasks->list[i], stack);
		}
	kernel_unwinder_close(unwinder);
	kernel_tasks_close(tasks);
	free(stack);
	return is;
}

/* Was the module of @by loaded within the trace, which then has all that it did? */
static bool is_traced_from_start(const struct explain *explain, const char *by)
{
	struct fault_text of = { 0 };

	fault_text_take_module(&of, (struct report_text){ by, strlen(by) });
	for (u32 i = 0; i < explain->history.nr_modules; i++)
		if (!strcmp(explain->history.modules[i].name, of.module))
			return true;
	return false;
}

void unset_timer_claim(struct explain *explain)
{
	const struct deferred_table *table = &explain->history.deferred;
	const struct kernel *kernel = explain->pm->kernel;
	char by[2 * WORDS_FUNCTION], to[WORDS_FUNCTION], function[WORDS_FUNCTION];
	struct given_timer given;
	u64 flags, symbol, nr_cpus;
	bool is_unseen;

	words_function(function, explain->cause->place);
	if (!kernel || !kernel->modules || !kernel->kallsyms || explain->cause->interrupted.text ||
	    (strcmp(function, "lock_timer_base") && !words_has_frame(explain->cause, "lock_timer_base")) || !find_given_timer(&given, explain) ||
	    !kernel_state_member(kernel, "timer_list", "flags", given.address, &flags) || !kallsyms_address(kernel->kallsyms, "nr_cpu_ids", &symbol) ||
	    !vmem_number(kernel->vmem, symbol, 4, &nr_cpus) || !nr_cpus || (flags & CPU_OF_FLAGS) < nr_cpus)
		return;
	is_unseen = !deferred_find(table, given.address) && !table->nr_dropped && explain->history.has_timer_ends && !pm_lost(explain->pm) &&
		    is_traced_from_start(explain, given.by);
	words_place(by, (struct report_text){ given.by, strlen(given.by) });
	words_function(to, (struct report_text){ given.to, strlen(given.to) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%.120s gave %.60s() the timer %016llx, and that is none: its flags name CPU %llu, and the machine has %llu. It was %s.", by, to, given.address,
		      flags & CPU_OF_FLAGS, nr_cpus, is_unseen ? "never set up, or given up before it was ever started: the trace has nothing of it" : "written over or freed, or never set up");
	finding_open(explain->finding, is_unseen ? "Which way leads there before timer_setup(): that of an error, as a rule. Memory that is not cleared has what was there before." :
						   "Who wrote there, and who freed it: the timer code is innocent.");
}
