// SPDX-License-Identifier: GPL-2.0-or-later
#include "chain_claims.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fault/argument.h"
#include "instruction/built_address.h"
#include "fault/calls.h"
#include "fault/completions.h"
#include "fault/tail_jump.h"
#include "judge/dead_irq.h"
#include "kernel_state/work_wait.h"

#define MOST_SYMBOLS	20000
#define NEAR		4096		/* bytes, within one variable */
#define EARLIER_NS	1000000000ULL	/* before the wait */

static void ask_of(struct explain *explain, struct function_code *code, u64 start)
{
	struct completer *completer = &explain->completers[explain->nr_completers];

	if (!function_code_read_function(code, explain->pm->kernel, start) || code->start != start || !completions_names(code))
		return;
	completer->start = start;
	snprintf(completer->name, sizeof(completer->name), "%s+0x0/0x%x [%s]", code->name, code->size, code->module);
	explain->nr_completers++;
	history_ask_value(&explain->history, start);
}

/* Of a work function that came to its end by a jump the kernel gives the name alone: "host_reset_work [hostscan]". */
static const struct kernel_module *module_of_place(struct function_code *code, const struct kernel *kernel, struct report_text place)
{
	struct fault_text of = { 0 };

	if (function_code_read_caller(code, kernel, place))
		return *code->module ? kernel_modules_at(kernel->modules, code->start) : NULL;
	fault_text_take_module(&of, place);
	for (u32 i = 0; *of.module && i < kernel->modules->nr; i++)
		if (!strcmp(kernel->modules->list[i].name, of.module))
			return &kernel->modules->list[i];
	return NULL;
}

void completers_ask(struct explain *explain, struct report_text place)
{
	const struct kernel *kernel = explain->pm->kernel;
	struct function_code *code;
	char type, name[KERNEL_SYMBOL_MAX];
	const struct kernel_module *module;
	u64 start;

	if (!kernel || !kernel->modules || !instruction_can_decode())
		return;
	code = malloc(sizeof(*code));
	module = code ? module_of_place(code, kernel, place) : NULL;
	for (u32 i = 0; module && i < MOST_SYMBOLS && explain->nr_completers < EXPLAIN_COMPLETERS &&
			kernel_modules_symbol(kernel->modules, module, i, &start, &type, name); i++)
		if ((type | ' ') == 't')
			ask_of(explain, code, start);
	free(code);
}

/* The start of a timer's or a work item's function, as it was recorded last; NULL: it was not. */
static const struct history_use *last_run(const struct explain *explain, u64 start)
{
	static const char *const words[] = { "timer:timer_expire_entry", "timer:hrtimer_expire_entry", "workqueue:workqueue_execute_start", NULL };
	const struct history_value *value = history_value(&explain->history, start);

	for (u32 i = 0; value && i < HISTORY_USES && i < value->nr; i++)
		if (plumbing_begins(value->last[i].event, words))
			return &value->last[i];
	return NULL;
}

/* Did the task @pid start it before that run, by the events that are kept? */
static bool was_started_by(const struct explain *explain, u64 start, const struct history_use *run, s64 pid)
{
	static const char *const words[] = { "timer:timer_start", "timer:hrtimer_start", "workqueue:workqueue_queue_work", NULL };
	const struct history_value *value = history_value(&explain->history, start);

	for (u32 i = 0; value && i < HISTORY_USES && i < value->nr; i++) {
		const struct history_use *use = &value->last[i];

		if (plumbing_begins(use->event, words) && use->object == run->object)
			return use->pid == pid && use->time <= run->time && run->time - use->time < EARLIER_NS;
	}
	return false;
}

/* reinit_completion(): 0 to the 4 bytes of its first member. */
static bool clears(const struct instruction *instruction, const struct argument *argument, const struct built_addresses *built)
{
	const struct instruction_access *access = &instruction->accesses[0];
	u64 address;

	return instruction->nr_accesses == 1 && access->writes && !access->reads && access->size == 4 && !access->is_relative &&
	       access->stores == STORED_ZERO &&
	       (argument->base == INSTRUCTION_NO_REGISTER ?
		built_addresses_access(&address, built, access) && address == (u64)argument->offset :
		access->base == argument->base && access->index < 0 && access->offset == argument->offset);
}

/* A call, a write to memory or to a port, by which a device may be told so; or a jump, which may lead to one. */
static bool may_start(const struct instruction *instruction)
{
	for (u32 i = 0; i < instruction->nr_accesses; i++)
		if (instruction->accesses[i].writes)
			return true;
	return instruction->is_call || instruction->jumps || !strncmp(instruction->text, "out", 3);
}

/* Is the completion at @lock set up behind a call, and in front of the wait that the frame @place is in? */
static bool is_set_up_late(const struct kernel *kernel, struct report_text place, u64 lock)
{
	struct function_code *code = malloc(sizeof(*code));
	struct argument argument = { INSTRUCTION_NO_REGISTER, 0 };
	struct built_addresses built = { .known = 0 };
	struct instruction instruction;
	bool calls = false, is = false;
	u32 at;

	if (!code || !function_code_read_caller(code, kernel, place) || !tail_jump_call_before(&instruction, code) ||
	    !argument_read(&argument, code, code->at) || (argument.base == INSTRUCTION_NO_REGISTER && (u64)argument.offset != lock)) {
		free(code);
		return false;
	}
	for (at = 0; at < code->at && function_code_decode(code, at, &instruction); at += instruction.len) {
		/* What comes behind it may be the start; a call at the function's own start is the tracer's. */
		is &= !may_start(&instruction);
		calls |= instruction.is_call && !function_code_is_tracer(code, at, &instruction);
		is |= calls && clears(&instruction, &argument, &built);
		built_addresses_step(&built, &instruction, INSTRUCTION_NO_REGISTER);
	}
	is &= at == code->at;
	free(code);
	return is;
}

/* Are both of one variable, or of one object of the slab? */
static bool are_together(const struct kernel *kernel, u64 object, u64 lock)
{
	struct kernel_object one, other;

	if (kernel_object_at(kernel, lock, &one))
		return kernel_object_at(kernel, object, &other) && one.start == other.start;
	return object && (object < lock ? lock - object : object - lock) < NEAR;
}

static void claim_early(struct explain *explain, const struct kernel_task *task, const struct completer *completer,
			const struct history_use *run, u64 out, const char *waits)
{
	char by[2 * WORDS_FUNCTION], place[2 * WORDS_FUNCTION], function[WORDS_FUNCTION];

	words_place(by, (struct report_text){ completer->name, strlen(completer->name) });
	words_place(place, (struct report_text){ waits, strlen(waits) });
	words_function(function, (struct report_text){ waits, strlen(waits) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits for a completion in %s, which had come already: %s ran %llu us before the task fell asleep, and %s() set the completion up again (reinit_completion()) behind what starts that, so it was lost.",
		      task->comm, task->pid, place, by, (out - run->time) / 1000, function);
	finding_open(explain->finding, "Nothing shows a device that does not answer: set the completion up before the start.");
}

/* Calls it complete() for @lock, once, and nothing else that wakes? @object: that it was given */
static bool completes_once(const struct kernel *kernel, u64 start, u64 object, u64 lock)
{
	static const char *const others[] = { "complete_all", "__wake_up", "wake_up_process", "wake_up_bit", "wake_up_var", "up", "swake_up_one", NULL };
	struct function_code *code = malloc(sizeof(*code));
	struct completions completions;
	bool is = code && completions_read(&completions, kernel, start, object, lock) && completions.nr == 1 && completions.nr_it == 1 &&
		  function_code_read_function(code, kernel, start) && !calls_one_of(code, others);

	free(code);
	return is;
}

/* What completes it stands behind what the waiter runs itself, on a workqueue that runs one work item at a time. */
static bool claim_behind(struct explain *explain, const struct owners *owners, const struct kernel_task *task, u64 lock)
{
	char place[2 * WORDS_FUNCTION], runs[2 * WORDS_FUNCTION];
	struct completions completions;
	struct work_wait work;

	for (u32 i = 0; i < explain->nr_completers; i++) {
		u64 start = explain->completers[i].start;

		/* What completes another one is innocent. */
		if (!work_wait_behind(&work, explain->pm->kernel, task, start) ||
		    !completions_read(&completions, explain->pm->kernel, start, work.item, lock) || (!completions.nr_it && !completions.nr_unknown))
			continue;
		words_place(place, (struct report_text){ work.function, strlen(work.function) });
		words_place(runs, (struct report_text){ work.runs, strlen(work.runs) });
		finding_claim(explain->finding, explain->finding->kind,
			      owners->chain->is_sure && explain->nr_completers == 1 && completions.nr_it ? FINDING_LIKELY : FINDING_POSSIBLE,
			      "%s-%d waits for itself: it runs %s, and waits for a completion of %s, which is queued behind it on the workqueue %s: that runs one work item at a time.",
			      task->comm, task->pid, runs, place, work.queue);
		finding_open(explain->finding, completions.nr_it ? "Whether nothing else completes it. One of the two needs another workqueue, or must not wait there." :
								   "Whether it is that completion. One of the two needs another workqueue, or must not wait there.");
		return true;
	}
	return false;
}

/*
 * The function ran while the task waited already, and woke another one: complete() wakes one that waits. Threads of the kernel are woken
 * for other ends.
 */
static bool claim_one_woken(struct explain *explain, const struct kernel_task *task, const struct completer *completer, const struct history_use *run,
			    u64 out, const char *waits, u64 lock)
{
	static const char *const kernels[] = { "kworker", "ksoftirqd", "rcu", "migration", "kthreadd", NULL };
	char by[2 * WORDS_FUNCTION], place[2 * WORDS_FUNCTION];

	if (!out || run->time <= out || !*run->woken || run->woken_pid == (u64)task->pid || plumbing_begins(run->woken, kernels) || pm_lost(explain->pm) ||
	    explain->nr_completers != 1 || !completes_once(explain->pm->kernel, completer->start, run->object, lock))
		return false;
	words_place(by, (struct report_text){ completer->name, strlen(completer->name) });
	words_place(place, (struct report_text){ waits, strlen(waits) });
	finding_claim(explain->finding, explain->finding->kind, FINDING_LIKELY,
		      "%s-%d waits for a completion in %s, and %s has run since it fell asleep: its complete() woke %s-%llu. It wakes one of those that wait, and complete_all() wakes all.",
		      task->comm, task->pid, place, by, run->woken, run->woken_pid);
	finding_open(explain->finding, "Whether two may wait for it at all; epitaph report --all --pid %llu FILE has what the other one did.", run->woken_pid);
	return true;
}

/* All that it completes is seen, and @lock is none of it: by its code, and what it was given last. */
static bool completes_others(const struct kernel *kernel, u64 start, const struct history_use *run, u64 lock)
{
	struct completions completions;

	return completions_read(&completions, kernel, start, run ? run->object : 0, lock) && completions.nr && !completions.nr_it &&
	       !completions.nr_unknown && (run || !completions.nr_given);
}

void completers_claim(struct explain *explain, const struct owners *owners)
{
	const struct kernel_chain *chain = owners->chain;
	const struct kernel_task *task = chain->tasks[chain->nr - 1];
	const struct kernel_wait *wait = chain->last_waits ? &chain->waits[chain->nr - 1] : NULL;
	const struct history_task *waiter = history_task(&explain->history, (u64)task->pid);
	char name[KERNEL_SYMBOL_MAX], by[2 * WORDS_FUNCTION];
	const struct history_use *newest = NULL;
	const struct completer *newest_of = NULL, *only = NULL;
	const struct kernel_task *behind;
	u32 nr = 0;
	u64 out = waiter && !waiter->woken ? waiter->out : 0;

	if (!wait || wait->kind != KWAIT_COMPLETION)
		return;
	for (u32 i = 0; i < explain->nr_completers; i++) {
		const struct completer *completer = &explain->completers[i];
		const struct history_use *run = last_run(explain, completer->start);

		if (completes_others(explain->pm->kernel, completer->start, run, wait->lock))
			continue;
		nr++;
		only = completer;
		words_place(by, (struct report_text){ completer->name, strlen(completer->name) });
		if (run)
			finding_evidence(explain->finding, run->time, finding_event(run->cpu, run->event), "%s, which calls complete(), ran last, on CPU %u",
					 by, run->cpu);
		else
			finding_evidence_timeless(explain->finding, "%s calls complete()", by);
		if (run && (!newest || run->time > newest->time)) {
			newest = run;
			newest_of = completer;
		}
	}
	if (!nr || claim_behind(explain, owners, task, wait->lock))
		return;
	if (nr == 1) {
		struct fault_text of = { 0 };
		char function[WORDS_FUNCTION], waits[WORDS_TASK];

		fault_text_take_module(&of, (struct report_text){ only->name, strlen(only->name) });
		words_function(function, (struct report_text){ only->name, strlen(only->name) });
		snprintf(waits, sizeof(waits), "%s-%d", task->comm, task->pid);
		if (dead_irq_claim(explain, waits, function, of.module, out))
			return;
		words_place(by, (struct report_text){ only->name, strlen(only->name) });
		behind = owners_waiter_for(owners, task);
		if (behind)
			finding_open(explain->finding, "Why %s does not do so: it alone, of that module, calls complete() for it. %s-%d waits with a lock that %s-%d waits for.",
				     by, task->comm, task->pid, behind->comm, behind->pid);
		else
			finding_open(explain->finding, "Why %s does not do so: it alone, of that module, calls complete() for it. A task that waits need not be the culprit.", by);
	}
	owners_name_wait(owners, explain->pm->kernel, task, name);
	if (newest && claim_one_woken(explain, task, newest_of, newest, out, name, wait->lock))
		return;
	if (newest && newest->time < out && out - newest->time < EARLIER_NS && !pm_lost(explain->pm) &&
	    was_started_by(explain, newest_of->start, newest, task->pid) && are_together(explain->pm->kernel, newest->object, wait->lock) &&
	    is_set_up_late(explain->pm->kernel, (struct report_text){ name, strlen(name) }, wait->lock))
		claim_early(explain, task, newest_of, newest, out, name);
}
