// SPDX-License-Identifier: GPL-2.0-or-later
#include "own_lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/kernel_half.h"
#include "code_holder.h"
#include "fault/argument.h"
#include "instruction/built_address.h"
#include "fault/function_code.h"
#include "fault/lock_flow.h"
#include "fault/tail_jump.h"
#include "gone_owner.h"
#include "linux_kernel/vmem.h"
#include "judge/words.h"

/*
 * Did it switch to its idle task after CPU @cpu had begun to run the timer or the work item that waits? Who switches
 * holds no spinlock, and since then the lock was not free.
 */
static bool went_idle_since(const struct history_cpu *other, const struct history_cpu *waits)
{
	return !other->pid && !other->migration && waits && waits->runs != HISTORY_NOTHING && other->switched > waits->began;
}

/* Was it idle, but for the tick of its clock? */
static bool idled(struct stopped_cpu *stack)
{
	stopped_cpu_drop_tick(stack);
	return stack->nr_frames && stopped_cpu_is_idle(stack);
}

/* Were all other CPUs idle when they were stopped? False: one was not, or that is not known. */
static bool others_are_idle(const struct explain *explain, u32 cpu)
{
	const struct history_cpu *waits = history_cpu(&explain->history, cpu);
	u32 nr_others = 0;

	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		const struct history_cpu *other = history_cpu(&explain->history, i);
		struct stopped_cpu stack;

		if (i == cpu || !other || !other->last)
			continue;
		nr_others++;
		/* An interrupt may have come into its idle task since, and not have ended. */
		if (stopped_cpu_read(&stack, explain->pm, i) ? !idled(&stack) : !went_idle_since(other, waits))
			return false;
	}
	return nr_others;
}

/* Has one of them, of what was interrupted, @value? Return: its name, or NULL. */
static const char *interrupted_register(struct fault_text *regs, const struct explain *explain, u64 value)
{
	words_registers_below(regs, explain, explain->cause->interrupted);
	for (u32 i = 0; i < regs->nr_registers; i++)
		if (regs->registers[i].value == value && !fault_text_is_stack(&regs->registers[i]))
			return regs->registers[i].name;
	return NULL;
}

/* An interrupt or a softirq wants a lock, and what it came into may hold it. */
static void add_interrupted(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task, bool is_alone)
{
	struct finding *finding = explain->finding;
	struct fault_text regs = { 0 };
	char holder[WORDS_FUNCTION];
	const char *reg = NULL;
	u64 lock = 0;

	words_function(holder, explain->cause->interrupted);
	/* The first argument of the functions that wait for a spinlock. */
	if (fault_text_argument(&explain->fault, &lock) && in_kernel_half(lock))
		reg = interrupted_register(&regs, explain, lock);
	finding_open(finding, "Who holds it. Perhaps %s, in %s(): this CPU was there when %s came.", task, holder, what);
	if (!reg)
		return;
	finding_evidence_timeless(finding, "%s(), which was interrupted, has the address of that lock in %s: %016llx", holder, reg, lock);
	if (!is_alone)
		return;
	finding_claim(finding, "spinning", FINDING_LIKELY,
		      "CPU %u waits for itself: in %s, %s wants a spinlock that %s holds, which it had interrupted in %s().",
		      cpu, what, place, task, holder);
	finding_open(finding, "Whether the lock has to be taken with interrupts or softirqs off there: spin_lock_irqsave(), spin_lock_bh().");
}

bool own_lock_is_none(struct explain *explain)
{
	const struct kernel *kernel = explain->pm->kernel;
	char function[WORDS_FUNCTION];
	struct fault_text regs = { 0 };
	u64 lock, word;
	u8 locked, pending;

	words_function(function, explain->cause->place);
	if (*function)
		words_registers_below(&regs, explain, explain->cause->place);
	/* Which has the lock in RDI; those of read-write locks have other words. */
	if (strcmp(function, "native_queued_spin_lock_slowpath") || !kernel ||
	    !fault_text_argument(&regs, &lock) || !in_kernel_half(lock) ||
	    !vmem_number(kernel->vmem, lock, 4, &word))
		return false;
	locked = (u8)word;
	pending = (u8)(word >> 8);
	/* include/asm-generic/qspinlock_types.h; 3 is of paravirtual kernels. */
	if ((locked <= 1 || locked == 3) && pending <= 1)
		return false;
	finding_evidence_timeless(explain->finding, "the memory of that lock, %016llx, has 0x%08llx, which is no spinlock's: it was overwritten, freed or never set up",
				  lock, word);
	finding_open(explain->finding, "Who overwrote or freed the lock, or did not set it up: its memory has what no spinlock has. No CPU holds it.");
	return true;
}

/* The last task that ended of an oops with preemption off, as all that have a spinlock: kernel/exit.c, make_task_dead(). */
static const struct kernel_report *died_with_lock(const struct explain *explain, struct report_text *note)
{
	const struct report_lines *lines = &explain->death->lines;
	const struct kernel_report *found = NULL;
	s64 at = -1;

	for (u32 i = 0; i < lines->nr && lines->list[i].time <= explain->cause->time; i++)
		if (report_text_has((struct report_text){ lines->list[i].text, lines->list[i].len }, "] exited with preempt_count "))
			at = i;
	if (at < 0)
		return NULL;
	*note = (struct report_text){ lines->list[at].text, lines->list[at].len };
	for (u32 i = 0; i < explain->death->reports.nr; i++) {
		const struct kernel_report *report = &explain->death->reports.list[i];
		char name[WORDS_TASK];

		if (report->kind > KERNEL_REPORT_BUG || report->time > lines->list[at].time || !report->comm.text || !report->pid.text)
			continue;
		snprintf(name, sizeof(name), "%.*s[%.*s]", WORDS(report->comm), WORDS(report->pid));
		if (report_text_has(*note, name))
			found = report;
	}
	return found;
}

/* Who died so holds what it held for ever. Has a register of that oops the lock's address, or does no other CPU run? */
static bool add_dead_holder(struct explain *explain, u32 cpu, const char *place, const char *task, bool is_alone)
{
	struct report_text note = { NULL, 0 };
	const struct kernel_report *oops = died_with_lock(explain, &note);
	struct finding *finding = explain->finding;
	char where[2 * WORDS_FUNCTION], who[WORDS_TASK];
	struct fault_text regs = { 0 };
	bool is_named = false;
	u64 lock = 0, ns;

	if (!oops)
		return false;
	ns = explain->pm->end.time > oops->time ? explain->pm->end.time - oops->time : 0;
	words_place(where, oops->place);
	words_task(who, oops);
	words_line_evidence(explain, "", note);
	if (oops->place.text && fault_text_argument(&explain->fault, &lock) && in_kernel_half(lock)) {
		words_registers_below(&regs, explain, oops->place);
		for (u32 i = 0; i < regs.nr_registers; i++)
			is_named |= regs.registers[i].value == lock;
	}
	if (!is_named && !is_alone) {
		finding_open(finding, "Who holds the lock. Perhaps %s died with it: of an oops, in %.60s, with preemption off.", who, where);
		return true;
	}
	finding_claim(finding, "spinning", FINDING_LIKELY,
		      "CPU %u, task %s, waited in %.80s for a spinlock that %s died with: of an oops, in %.80s, %llu.%llu s before the end.", cpu, task,
		      place, who, where, ns / 1000000000, ns / 100000000 % 10);
	finding_open(finding, "Why that task died: see its oops in the log. The one that waits is innocent. With kernel.panic_on_oops=1 the oops had been the end.");
	return true;
}

/* --- two CPUs that wait for each other's lock -------------------------------- */

/**
 * struct spinner - a CPU that waits for a spinlock or a read-write lock
 * @at: where
 * @lock: its address, if the code there has it as a constant; 0: it has not, or is not in the dump
 */
struct spinner {
	u32 cpu;
	char task[WORDS_TASK];
	struct stopped_cpu stack;
	struct report_text at;
	u64 lock;
};

/* The lock that was given to the call which returns to @frame; 0: the code there has not its address. */
static u64 lock_given(const struct explain *explain, struct report_text frame)
{
	struct function_code *code = malloc(sizeof(*code));
	struct argument argument;
	struct instruction call;
	u64 lock = 0;

	if (code && function_code_read_caller(code, explain->pm->kernel, frame) && tail_jump_call_before(&call, code) &&
	    argument_read(&argument, code, code->at) && argument.base == INSTRUCTION_NO_REGISTER)
		lock = (u64)argument.offset;
	free(code);
	return lock;
}

/* Has the code of @frame, before the call that it is in, taken that lock? An even number of calls took it and gave it back. */
static bool has_taken(const struct explain *explain, struct report_text frame, u64 lock)
{
	struct function_code *code = malloc(sizeof(*code));
	struct built_addresses built = { .known = 0 };
	struct instruction one;
	bool has = false;

	if (code && lock && function_code_read_caller(code, explain->pm->kernel, frame) && tail_jump_call_before(&one, code))
		for (u32 at = 0; at < code->at && function_code_decode(code, at, &one); at += one.len) {
			s32 first = code->set->arguments[0];

			has ^= one.is_call && built.known & 1U << first && built.of[first] == lock;
			built_addresses_step(&built, &one, first);
		}
	free(code);
	return has;
}

/* The only other CPU that waits for a lock, if all others but @cpu are idle. */
static bool find_other_spinner(struct spinner *found, const struct explain *explain, u32 cpu)
{
	u32 nr = 0;

	for (u32 i = 0; i < explain->history.nr_cpus; i++) {
		const struct history_cpu *other = history_cpu(&explain->history, i);
		struct stopped_cpu stack;
		bool spins = false;

		if (i == cpu || !other || !other->last)
			continue;
		if (!stopped_cpu_read(&stack, explain->pm, i))
			return false;
		for (u32 k = 0; k < stack.nr_frames; k++) {
			char function[WORDS_FUNCTION];

			words_function(function, stack.frames[k]);
			spins |= plumbing_is_of_spinning(function) && (k || !plumbing_is_of_taking(function));
		}
		if (!spins && stopped_cpu_is_idle(&stack))
			continue;
		if (!spins || nr++)
			return false;
		found->cpu = i;
		snprintf(found->task, sizeof(found->task), "%s-%llu", other->comm, other->pid);
	}
	return nr && stopped_cpu_read(&found->stack, explain->pm, found->cpu);
}

/* Where it waits: what called the last of the functions that spin. An interrupt of the clock may lie on top of them. */
static bool take_waiting_place(struct spinner *spinner, const struct explain *explain)
{
	char function[WORDS_FUNCTION];

	for (u32 i = spinner->stack.nr_frames - 1; i--; ) {
		words_function(function, spinner->stack.frames[i]);
		if (!plumbing_is_of_spinning(function))
			continue;
		spinner->at = spinner->stack.frames[i + 1];
		spinner->lock = lock_given(explain, spinner->at);
		return true;
	}
	return false;
}

static void put_lock_name(char name[KERNEL_SYMBOL_MAX], const struct explain *explain, u64 lock)
{
	if (words_symbol(explain, lock, name, KERNEL_SYMBOL_MAX))
		name[strcspn(name, "+")] = '\0';
	else
		snprintf(name, KERNEL_SYMBOL_MAX, "%016llx", lock);
}

/* Two CPUs wait, each for a lock that the other one's function had named before. */
static void claim_two_orders(struct explain *explain, u32 cpu, const char *place, const char *task, u64 lock, const struct spinner *other)
{
	char first[KERNEL_SYMBOL_MAX], second[KERNEL_SYMBOL_MAX], there[2 * WORDS_FUNCTION];

	put_lock_name(first, explain, lock);
	put_lock_name(second, explain, other->lock);
	words_place(there, other->at);
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "A deadlock of two spinlocks: CPU %u, task %s, in %.80s waits for %.60s, and CPU %u, task %s, in %.80s for %.60s: each took first what the other one wants.",
		      cpu, task, place, first, other->cpu, other->task, there, second);
	finding_open(explain->finding, "Which order is right: all code has to take these locks in the same one.");
}

static bool has_function(const struct report_text *frames, u32 nr, const char *name)
{
	char function[WORDS_FUNCTION];

	for (u32 i = 0; i < nr; i++) {
		words_function(function, frames[i]);
		if (!strcmp(function, name))
			return true;
	}
	return false;
}

/* Of a reader's stack: the caller of what waits for @lock that has taken it as well; a text of NULL: none has. */
static struct report_text took_before(const struct explain *explain, const struct report_text *frames, u32 nr, u64 lock)
{
	bool is_inner = false;

	for (u32 i = 0; i < nr; i++) {
		bool is_here = lock_given(explain, frames[i]) == lock;

		if (is_inner && !is_here && has_taken(explain, frames[i], lock))
			return frames[i];
		is_inner |= is_here;
	}
	return (struct report_text){ NULL, 0 };
}

/* A reader that waits behind a writer for what one of its callers has taken for reading; either of them was reported. */
static bool claim_read_again(struct explain *explain, u32 cpu, const char *place, const char *task, u64 lock, const struct spinner *other)
{
	const struct kernel_report *report = explain->cause;
	const struct stopped_cpu *stack = &other->stack;
	bool is_reader = words_has_frame(report, "queued_read_lock_slowpath") || has_function(&report->place, 1, "queued_read_lock_slowpath");
	char name[KERNEL_SYMBOL_MAX], outer[2 * WORDS_FUNCTION], inner[2 * WORDS_FUNCTION];
	struct report_text took;

	if (!lock || other->lock != lock || (!is_reader && !has_function(stack->frames, stack->nr_frames, "queued_read_lock_slowpath")))
		return false;
	took = is_reader ? took_before(explain, report->frames, report->nr_frames, lock) : took_before(explain, stack->frames, stack->nr_frames, lock);
	if (!took.text)
		return false;
	put_lock_name(name, explain, lock);
	words_place(outer, took);
	words_place(inner, other->at);
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "CPU %u, task %s, waits for itself: %.80s took the read-write lock %.60s to read, and %.80s wants it again, behind the writer %s on CPU %u.",
		      is_reader ? cpu : other->cpu, is_reader ? task : other->task, outer, name, is_reader ? place : inner,
		      is_reader ? other->task : task, is_reader ? other->cpu : cpu);
	finding_open(explain->finding, "Which of the two must not take it: who reads again waits for a writer that came in between.");
	return true;
}

/* All ways to where @code is have the very lock. */
static bool has_by_code(const struct lock_flow *flow, u64 lock)
{
	for (u32 i = 0; i < flow->nr; i++)
		if (flow->ways[i].is_known && flow->ways[i].at == LOCK_HELD && lock && flow->ways[i].address == lock)
			return true;
	return false;
}

/* The function among the callers of what waits for @lock that has taken it by its code, on all ways to its call; a text of NULL: none. */
static struct report_text caller_with_lock(const struct explain *explain, const struct report_text *frames, u32 nr, u64 lock)
{
	static const enum lock_family families[] = { LOCK_SPIN, LOCK_RW_READ, LOCK_RW_WRITE };
	struct function_code *code = malloc(sizeof(*code));
	struct report_text found = { NULL, 0 };
	struct lock_flow flow;
	bool is_inner = false;

	for (u32 i = 0; code && lock && i < nr && !found.text; i++) {
		if (!is_inner) {
			is_inner = lock_given(explain, frames[i]) == lock;
			continue;
		}
		for (size_t k = 0; k < ARRAY_SIZE(families) && !found.text; k++)
			if (function_code_read_caller(code, explain->pm->kernel, frames[i]) && lock_flow_read(&flow, code, families[k]) && has_by_code(&flow, lock))
				found = frames[i];
	}
	free(code);
	return found;
}

/* A task that waits for what one of its own functions has taken: who waits beside it is innocent. */
static bool claim_own_caller(struct explain *explain, u32 cpu, const char *task, const struct report_text *frames, u32 nr, u64 lock,
			     struct report_text at)
{
	struct report_text took = caller_with_lock(explain, frames, nr, lock);
	char name[KERNEL_SYMBOL_MAX], outer[2 * WORDS_FUNCTION], inner[2 * WORDS_FUNCTION];

	if (!took.text)
		return false;
	put_lock_name(name, explain, lock);
	words_place(outer, took);
	words_place(inner, at);
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "CPU %u, task %s, waits for itself: %.80s took the lock %.60s, and %.80s, which runs within that, wants it again.", cpu, task, outer, name,
		      inner);
	finding_open(explain->finding, "Which of the two must not take it. Who waits for that lock elsewhere is innocent.");
	return true;
}

/* What it waits for, by its registers: only what waits itself has the lock there. 0: not known. */
static u64 lock_in_register(const struct stopped_cpu *stack)
{
	char function[WORDS_FUNCTION];

	words_function(function, stack->frames[0]);
	return strstr(function, "lock_slowpath") && in_kernel_half(stack->argument) ? stack->argument : 0;
}

/* What an interrupt on @stack came into, or what called that, if it is of the same module as @at; a text of NULL: it is not. */
static struct report_text interrupted_of_module(const struct stopped_cpu *stack, struct report_text at)
{
	struct report_text into = stopped_cpu_interrupted(stack);
	char function[WORDS_FUNCTION];
	bool is_behind = false;

	for (u32 i = 0; into.text && i < stack->nr_frames; i++) {
		struct fault_text of = { 0 }, wanted = { 0 };

		is_behind |= stack->frames[i].text == into.text;
		words_function(function, stack->frames[i]);
		if (!is_behind || plumbing_has(function))
			continue;
		fault_text_take_module(&of, stack->frames[i]);
		fault_text_take_module(&wanted, at);
		return *of.module && !strcmp(of.module, wanted.module) ? stack->frames[i] : (struct report_text){ NULL, 0 };
	}
	return (struct report_text){ NULL, 0 };
}

#define LOCK_WORDS	60
#define NEAR_LOCK	4096	/* bytes, within one object */

/* The timer whose function is at @at: it began to run on that CPU, by the trace, and did not end. NULL: none is. */
static const struct deferred *timer_that_waits(const struct explain *explain, u32 cpu, struct report_text at)
{
	const struct deferred_table *table = &explain->history.deferred;
	char name[KERNEL_SYMBOL_MAX], wanted[WORDS_FUNCTION], function[WORDS_FUNCTION];

	words_function(wanted, at);
	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *timer = &table->places[i];

		if (!timer->object || timer->kind == DEFERRED_WORK || !timer->is_running || !table->has_ends[timer->kind] || timer->began.cpu != cpu || !timer->function ||
		    !words_deferred(explain, timer, name, sizeof(name)))
			continue;
		words_function(function, (struct report_text){ name, strlen(name) });
		if (!strcmp(function, wanted))
			return timer;
	}
	return NULL;
}

/* When that CPU began to wait, and who had started the timer. */
static void add_timer_that_waits(struct explain *explain, const struct spinner *other, u64 lock)
{
	const struct deferred *timer = timer_that_waits(explain, other->cpu, other->at);
	s64 behind = timer ? (s64)(timer->object - lock) : 0;
	char doer[WORDS_TASK];

	if (!timer || !timer->started.time || timer->started.time > timer->began.time || behind < -NEAR_LOCK || behind > NEAR_LOCK)
		return;
	words_doer(doer, timer->started.comm, timer->started.pid);
	finding_evidence(explain->finding, timer->began.time, finding_event(other->cpu, timer->kind == DEFERRED_TIMER ? "timer:timer_expire_entry" : "timer:hrtimer_expire_entry"),
			 "CPU %u began to run the timer that lies %lld bytes %s the lock, and did not end; %s had started it %llu us before, on CPU %u", other->cpu,
			 behind < 0 ? -behind : behind, behind < 0 ? "in front of" : "behind", doer,
			 (timer->began.time - timer->started.time) / 1000, timer->started.cpu);
}

/* Two CPUs wait for one and the same lock: then neither has what the other one wants. */
static void open_same_lock(struct explain *explain, const struct spinner *other, u64 lock, const char *there)
{
	struct report_text into = interrupted_of_module(&other->stack, other->at);
	struct finding *finding = explain->finding;
	char holder[2 * WORDS_FUNCTION];

	finding_evidence_timeless(finding, "CPU %u waits for the very same lock, by its registers: %016llx", other->cpu, lock);
	add_timer_that_waits(explain, other, lock);
	if (!into.text) {
		finding_open(finding, "Who holds the lock, for which CPU %u waits as well: a function on one of their stacks, or one that came back with it or sleeps with it.", other->cpu);
		return;
	}
	words_place(holder, into);
	finding_open(finding, "Who holds the lock, for which CPU %u waits as well. Perhaps %.80s: an interrupt on that CPU came into it, and wants the lock in %.80s.",
		     other->cpu, holder, there);
}

/* Another CPU waits as well: it is no innocent holder. */
static bool add_other_spinner(struct explain *explain, u32 cpu, const char *place, const char *task)
{
	struct report_text at = words_frame(explain->cause, plumbing_is_of_waiting);
	struct spinner other = { 0 };
	char there[2 * WORDS_FUNCTION];
	u64 lock = lock_given(explain, at), wanted = 0;
	bool is_same;

	if (!find_other_spinner(&other, explain, cpu) || !take_waiting_place(&other, explain))
		return false;
	is_same = fault_text_argument(&explain->fault, &wanted) && wanted && lock_in_register(&other.stack) == wanted;
	words_place(there, other.at);
	finding_evidence_timeless(explain->finding, "CPU %u, task %s, waits for a lock as well, in %s; no other CPU does anything", other.cpu,
				  other.task, there);
	if (lock && other.lock && lock != other.lock && has_taken(explain, at, other.lock) && has_taken(explain, other.at, lock))
		claim_two_orders(explain, cpu, place, task, lock, &other);
	else if (!claim_read_again(explain, cpu, place, task, lock, &other) &&
		 !claim_own_caller(explain, cpu, task, explain->cause->frames, explain->cause->nr_frames, lock, at) &&
		 !claim_own_caller(explain, other.cpu, other.task, other.stack.frames, other.stack.nr_frames, other.lock, other.at) &&
		 is_same)
		open_same_lock(explain, &other, wanted, there);
	else if (explain->finding->strength == FINDING_SHOWN)
		finding_open(explain->finding, "Who holds the lock. CPU %u waits for one as well: perhaps each has what the other one wants, or a task that sleeps has both.",
			     other.cpu);
	return true;
}

/* --- a lock that this task has itself, by its code ------------------------------ */

/* Of the call that @code is at: a way comes to it that has the lock already. */
static bool comes_again(const struct lock_flow *flow, const struct function_code *code, u64 lock)
{
	/* One that takes it only if it has it not, and gives it back only if it has, looks like that, too. */
	for (u32 i = 0; i < flow->nr && !flow->gives_other; i++)
		if (flow->ways[i].is_known && flow->ways[i].again_at == code->at && (!flow->ways[i].address || flow->ways[i].address == lock))
			return true;
	return false;
}

/* And for no read-write lock, whose register is the same. */
static bool waits_for_spinlock(const struct kernel_report *report)
{
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	return !strcmp(function, "native_queued_spin_lock_slowpath") && !words_has_frame(report, "queued_read_lock_slowpath") &&
	       !words_has_frame(report, "queued_write_lock_slowpath");
}

/* No other CPU has it, and the task's own functions took it: the one that waits in an earlier round, or one that called it. */
static bool add_own_code(struct explain *explain, u32 cpu, const char *task)
{
	const struct kernel_report *report = explain->cause;
	struct report_text at = words_frame(report, plumbing_is_of_waiting);
	struct function_code *code = malloc(sizeof(*code));
	char place[2 * WORDS_FUNCTION], outer[2 * WORDS_FUNCTION];
	struct lock_flow flow;
	bool is = false, is_behind = false;
	u64 lock = 0;

	fault_text_argument(&explain->fault, &lock);
	words_place(place, at);
	for (u32 i = 0; code && i < report->nr_frames && !is; i++) {
		bool is_first = report->frames[i].text == at.text;

		is_behind |= is_first;
		if (!is_behind || !function_code_read_caller(code, explain->pm->kernel, report->frames[i]) || !*code->module ||
		    !lock_flow_read(&flow, code, LOCK_SPIN))
			continue;
		words_place(outer, report->frames[i]);
		is = is_first ? comes_again(&flow, code, lock) : has_by_code(&flow, lock);
		if (is && is_first)
			finding_claim(explain->finding, "spinning", FINDING_LIKELY,
				      "CPU %u waits for itself: %s takes a spinlock in %s, and a way through that function comes to take it again without having given it back.",
				      cpu, task, place);
		else if (is)
			finding_claim(explain->finding, "spinning", FINDING_LIKELY,
				      "CPU %u waits for itself: %s wants in %.80s a spinlock that it took in %.80s, which called that.", cpu, task, place, outer);
		if (is)
			finding_open(explain->finding, is_first ? "Which way that was: a continue or a jump that goes round the spin_unlock(), as a rule." :
								  "Which of the two must not take it there.");
	}
	free(code);
	return is;
}

/* No CPU has it, and one function of the module comes back with it on one way. */
static bool add_left(struct explain *explain, u32 cpu, const char *place, const char *task)
{
	char name[KERNEL_SYMBOL_MAX], left[2 * WORDS_FUNCTION];
	u64 lock = 0;

	fault_text_argument(&explain->fault, &lock);
	if (!explain->pm->kernel || !left_lock_find(name, explain->pm->kernel, words_frame(explain->cause, plumbing_is_of_waiting), LOCK_SPIN, lock))
		return false;
	words_place(left, (struct report_text){ name, strlen(name) });
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      "CPU %u, task %s, waited in %.80s for a spinlock that probably %.80s left held: a way through that function comes back without spin_unlock().",
		      cpu, task, place, left);
	finding_open(explain->finding, "Which way that was: one with an error, as a rule. The one that waits is innocent.");
	return true;
}

/* --- who has it, by the code on the stacks of all that ran ----------------------- */

static void open_own_stack(struct explain *explain, const struct spin_holder *holder)
{
	finding_open(explain->finding, holder->is_interrupted ? "Whether the lock has to be taken with interrupts or softirqs off there: spin_lock_irqsave(), spin_lock_bh()." :
								"Which of the two must not take it: to call that with the lock held, or to take it there.");
}

static void claim_own_stack(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task, const struct spin_holder *holder)
{
	char outer[2 * WORDS_FUNCTION];

	words_place(outer, (struct report_text){ holder->name, strlen(holder->name) });
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      holder->is_interrupted ? "CPU %u%s%s waits for itself: %.80s has taken the lock that %.80s wants, which came into it with an interrupt or a softirq." :
					       "CPU %u%s%s waits for itself: %.80s has taken the lock that %.80s wants, which it called.",
		      cpu, what ? " in " : ", task ", what ?: task, outer, place);
	open_own_stack(explain, holder);
}

/* The other CPU waits for the very lock that it has: who waits beside it is innocent. */
static void claim_other_waits_for_itself(struct explain *explain, u32 cpu, const char *place, const struct spin_holder *holder, const char *there)
{
	char outer[2 * WORDS_FUNCTION];

	words_place(outer, (struct report_text){ holder->name, strlen(holder->name) });
	finding_claim(explain->finding, "spinning", FINDING_LIKELY,
		      holder->is_interrupted ? "CPU %u, task %s-%d, waits for itself: %.80s has taken the lock that %.80s wants, which came into it with an interrupt or a softirq." :
					       "CPU %u, task %s-%d, waits for itself: %.80s has taken the lock that %.80s wants, which it called.",
		      holder->task->cpu, holder->task->comm, holder->task->pid, outer, there);
	finding_evidence_timeless(explain->finding, "CPU %u, which was reported, only waits for that lock, in %s", cpu, place);
	open_own_stack(explain, holder);
}

/* "queue_lock, which"; "what", where the lock has no name. */
static const char *put_what(char what[LOCK_WORDS], const struct explain *explain, u64 lock)
{
	char name[KERNEL_SYMBOL_MAX];

	if (!words_symbol(explain, lock, name, sizeof(name)))
		return "what";
	snprintf(what, LOCK_WORDS, "%.*s, which", (int)strcspn(name, "+"), name);
	return what;
}

static void claim_other_stack(struct explain *explain, u32 cpu, const char *place, u64 lock, const struct spin_holder *holder, const struct spin_holder *back)
{
	char outer[2 * WORDS_FUNCTION], there[2 * WORDS_FUNCTION], first[2 * WORDS_FUNCTION], wanted[LOCK_WORDS], back_wanted[LOCK_WORDS];

	words_place(outer, (struct report_text){ holder->name, strlen(holder->name) });
	words_place(there, (struct report_text){ holder->waits_in, strlen(holder->waits_in) });
	if (*there && holder->wanted == lock) {
		claim_other_waits_for_itself(explain, cpu, place, holder, there);
		return;
	}
	if (back) {
		words_place(first, (struct report_text){ back->name, strlen(back->name) });
		finding_claim(explain->finding, "spinning", FINDING_LIKELY,
			      "A deadlock of two spinlocks: CPU %u, in %.80s, waits for %.60s %.80s has taken on CPU %u, and that one, in %.80s, for %.60s %.80s has taken.",
			      cpu, place, put_what(wanted, explain, lock), outer, holder->task->cpu, there, put_what(back_wanted, explain, holder->wanted),
			      first);
		finding_open(explain->finding, "Which order is right: all code has to take these locks in the same one.");
		return;
	}
	finding_claim(explain->finding, "spinning", FINDING_LIKELY, "CPU %u waited in %.80s for a spinlock that %.80s has taken on CPU %u, task %s-%d%s%.80s.", cpu,
		      place, outer, holder->task->cpu, holder->task->comm, holder->task->pid, !*there ? "" : holder->wanted ? ", and which waits for another one itself, in " : ", and which waits for one itself, in ", there);
	finding_open(explain->finding, "Why that does not come to its spin_unlock(); epitaph info --stacks FILE has its stack.");
}

/* Nothing else was found: whose function has taken the very lock? */
static void add_holder_by_code(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task)
{
	struct spin_holder holder, back;
	struct owners owners = { 0 };
	u64 lock = 0;

	if (explain->finding->strength != FINDING_SHOWN || !explain->pm->kernel || !fault_text_argument(&explain->fault, &lock) || !in_kernel_half(lock))
		return;
	if (owners_open(&owners, explain) && spin_holder_find(&holder, &owners, explain->pm->kernel, lock)) {
		bool is_circle = holder.task->cpu != cpu && holder.wanted && spin_holder_find(&back, &owners, explain->pm->kernel, holder.wanted) &&
				 back.task->cpu == cpu;

		if (holder.task->cpu == cpu)
			claim_own_stack(explain, cpu, what, place, task, &holder);
		else
			claim_other_stack(explain, cpu, place, lock, &holder, is_circle ? &back : NULL);
	}
	owners_close(&owners);
}

static void add_by_trace(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task)
{
	const struct kernel_report *report = explain->cause;
	bool is_alone;
	char function[WORDS_FUNCTION];

	is_alone = others_are_idle(explain, cpu);

	words_function(function, report->interrupted);
	if (add_dead_holder(explain, cpu, place, task, is_alone))
		return;
	if (!what && !is_alone && add_other_spinner(explain, cpu, place, task))
		return;
	if (is_alone)
		finding_evidence_timeless(explain->finding, "all other CPUs were idle at the end: none of them holds the lock");
	/* What waits for the lock itself does not hold it. */
	if (what && stopped_cpu_idles_in(function))
		finding_open(explain->finding, "Who holds it: not the idle task, which was interrupted. %s", is_alone ? "A function on this CPU's own stack, or code that came back with it." :
			     "Another CPU, or a function on this CPU's own stack.");
	else if (what && *function && !plumbing_is_of_waiting(function))
		add_interrupted(explain, cpu, what, place, task, is_alone);
	else if (!what && is_alone &&
		 claim_own_caller(explain, cpu, task, report->frames, report->nr_frames, lock_given(explain, words_frame(report, plumbing_is_of_waiting)),
				  words_frame(report, plumbing_is_of_waiting)))
		;
	else if (!what && is_alone && waits_for_spinlock(report) &&
		 (add_own_code(explain, cpu, task) || add_left(explain, cpu, place, task)))
		;
	else if (!what && is_alone)
		finding_open(explain->finding, "No other CPU holds it: code came back with it, this task took it twice, or its word was overwritten or never set up.");
}

bool own_lock_add(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task)
{
	if (own_lock_is_none(explain))
		return true;
	add_by_trace(explain, cpu, what, place, task);
	add_holder_by_code(explain, cpu, what, place, task);
	return explain->finding->strength != FINDING_SHOWN;
}
