// SPDX-License-Identifier: GPL-2.0-or-later
/* Timers that were freed or overwritten while they were armed; code of a module that was unloaded. */
#include <stdio.h>
#include <string.h>

#include "access.h"
#include "bad_call.h"
#include "fine_timers.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"
#include "judge/words.h"

#define SMALL		4096	/* NULL, and a field behind it */
#define TIMER_OF_WORK	32	/* offset of delayed_work.timer, without lockdep */

/* Functions of kernel/time/timer.c that follow the pointers of an armed timer. */
static bool runs_timers(const char *function)
{
	static const char *const names[] = {
		"__run_timers", "__run_timer_base", "expire_timers", "detach_if_pending", "call_timer_fn",
	};

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (!strcmp(function, names[i]))
			return true;
	return false;
}

/*
 * The timer that the CPU took out of its wheel last of all, and did not run, if a register has it; and who
 * armed it. NULL: not known.
 */
static const struct history_origin *timer_at_end(const struct explain *explain)
{
	const struct history *history = &explain->history;
	const struct history_cpu *cpu = history_cpu(history, explain->pm->end.cpu);
	const struct history_value *value = cpu && cpu->cancelled ? history_value(history, cpu->cancelled) : NULL;
	const struct history_origin *origin = value ? history_origin(history, value->value) : NULL;

	/* Without such events each one would seem not to have run. */
	if (!history->has_timer_ends || !origin || !origin->function || value->last[0].cpu != explain->pm->end.cpu ||
	    strcmp(value->last[0].event, "timer:timer_cancel"))
		return NULL;
	return origin;
}

/* What the dump has of timer->function. */
enum timer_function { FUNCTION_UNKNOWN, FUNCTION_NULL, FUNCTION_SET };

static enum timer_function function_of(const struct explain *explain, u64 timer)
{
	const struct kernel *kernel = explain->kernel;
	struct btf_member_place place;
	u64 function;

	if (!kernel || !kernel->ktypes || !kernel_btf_member(kernel->ktypes, "timer_list", "function", &place) ||
	    !vmem_number(kernel->vmem, timer + place.offset, 8, &function))
		return FUNCTION_UNKNOWN;
	return function ? FUNCTION_SET : FUNCTION_NULL;
}

/* The work item behind a timer of delayed_work_timer_fn(), and what it was queued for before. NULL: not known. */
static const struct history_origin *work_of(const struct explain *explain, u64 timer)
{
	const struct kernel *kernel = explain->kernel;
	struct btf_member_place place = { .offset = TIMER_OF_WORK };
	const struct history_origin *work;

	if (kernel && kernel->ktypes && !kernel_btf_member(kernel->ktypes, "delayed_work", "timer", &place))
		return NULL;
	work = history_origin(&explain->history, timer - place.offset);
	return work && work->function ? work : NULL;
}

/* All delayed works have one timer function: the signature has that of the work. */
static void sign_by_work(struct explain *explain, u64 timer)
{
	const struct history_origin *work = work_of(explain, timer);
	char *name = explain->signed_by, place[2 * WORDS_FUNCTION];

	explain->is_signed_in_part = !work || !words_symbol_at(explain, work->function, work->time, work->raw, name, sizeof(explain->signed_by));
	if (explain->is_signed_in_part)
		return;
	words_place(place, (struct report_text){ name, strlen(name) });
	finding_evidence(explain->finding, work->time, finding_event(work->cpu, "workqueue:workqueue_queue_work"),
			 "the work item %016llx, which this timer is of, was queued for %s before", work->object, place);
}

/*
 * Is the bad value one of the timer itself? The next timer of its list may be what was freed, if the
 * pointer to it could be one.
 */
static bool is_of_timer(const struct explain *explain)
{
	return explain->cause->kind == KERNEL_REPORT_WARNING ||
	       report_text_has(explain->cause->title, "general protection fault") ||
	       (explain->fault.has_address && (explain->fault.address < SMALL || bad_address_is_none(&explain->fault)));
}

bool judge_timer(struct explain *explain)
{
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	char function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION], doer[WORDS_TASK];
	char *name = explain->signed_by;
	enum finding_strength strength = FINDING_LIKELY;
	const struct history_origin *origin;
	enum timer_function is;

	if (!report || report->kind > KERNEL_REPORT_WARNING)
		return false;
	if (fine_timers_claim(explain))
		return true;
	words_function(function, report->place);
	origin = runs_timers(function) && is_of_timer(explain) ? timer_at_end(explain) : NULL;
	if (!origin)
		return false;
	/* Timer code warns of much else than a timer without a function. */
	is = report->kind == KERNEL_REPORT_WARNING ? function_of(explain, origin->object) : FUNCTION_NULL;
	if (is == FUNCTION_SET || !words_symbol_at(explain, origin->function, origin->time, origin->raw, name, sizeof(explain->signed_by)))
		return false;
	if (is == FUNCTION_UNKNOWN || pm_lost(explain->pm))
		strength = FINDING_POSSIBLE;
	words_place(place, (struct report_text){ name, strlen(name) });
	words_doer(doer, origin->comm, origin->pid);
	fault_text_take_module(&explain->fault, (struct report_text){ name, strlen(name) });
	finding_claim(finding, "timer-damaged", strength,
		      "The timer %016llx, which %s had armed for %s, %s freed or overwritten while it was armed: %s() found it damaged.",
		      origin->object, doer, place,
		      strength == FINDING_LIKELY ? "was" : "was perhaps", function);
	finding_open(finding, "Who freed or overwrote it. The task that was running and the timer code are not to blame.");
	finding_evidence(finding, origin->time, finding_event(origin->cpu, "timer:timer_start"),
			 "%s armed the timer %016llx, on CPU %u", doer, origin->object, origin->cpu);
	words_report_evidence(explain, report);
	words_function(function, (struct report_text){ name, strlen(name) });
	if (!strcmp(function, "delayed_work_timer_fn"))
		sign_by_work(explain, origin->object);
	finding_next(finding, "epitaph report --all --event 'timer:timer_start' FILE");
	return true;
}

/* Does @text have @module as a word: " a(E) b"? */
static bool names_module(struct report_text text, const char *module)
{
	size_t len = strlen(module);
	const char *at = text.text, *end = text.text + text.len;

	while ((at = memmem(at, end - at, module, len))) {
		if (at > text.text && at[-1] == ' ' && (at + len == end || strchr(" (]", at[len])))
			return true;
		at += len;
	}
	return false;
}

/* Did it go, by the last that the trace has of it? */
static bool has_gone(const struct history *history, const char *module)
{
	for (u32 i = history->nr_modules; i--; )
		if (!strcmp(history->modules[i].name, module))
			return history->modules[i].is_gone;
	return false;
}

/*
 * Does the log say that @module is not loaded: "Modules linked in: a(E) b [last unloaded: c]"? What is printed in pieces
 * may have lost its end; then the trace may say so.
 */
static bool is_unloaded(const struct explain *explain, const char *module)
{
	u32 from = 0;
	struct report_text line = fault_text_line(explain->death, explain->cause, "Modules linked in:", &from);
	const char *last = line.text ? memmem(line.text, line.len, "[last unloaded: ", 16) : NULL;

	if (!last)
		return !(line.text && names_module(line, module)) && has_gone(&explain->history, module);
	/* In front of that it is loaded, once more. */
	return !names_module((struct report_text){ line.text, last - line.text }, module) &&
	       names_module((struct report_text){ last, line.text + line.len - last }, module);
}

bool judge_unloaded(struct explain *explain)
{
	const struct fault_text *fault = &explain->fault;
	struct fault_text of = { 0 };
	char place[2 * WORDS_FUNCTION];
	char *name = explain->signed_by;
	struct report_text symbol;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_OOPS || fault->access != FAULT_CALL ||
	    !fault->has_address || !words_symbol(explain, fault->address, name, sizeof(explain->signed_by)))
		return false;
	symbol = (struct report_text){ name, strlen(name) };
	fault_text_take_module(&of, symbol);
	if (!*of.module || !is_unloaded(explain, of.module)) {
		*name = '\0';
		return false;
	}
	words_place(place, symbol);
	finding_claim(explain->finding, "unloaded-module", FINDING_LIKELY,
		      "The CPU jumped to %016llx, where %s was: that module is unloaded, and something still ran there, or was called there.",
		      fault->address, place);
	finding_open(explain->finding, "What the module left behind when it was unloaded, if no timer or work item below says so.");
	words_report_evidence(explain, explain->cause);
	return true;
}

/* --- code of a module that another one has replaced ------------------------------------ */

#define APART_NS	1000000		/* two CPUs' clocks may differ by less */

const struct history_cpu *timers_died_in(const struct explain *explain)
{
	const struct history *history = &explain->history;
	const struct history_cpu *cpu = history_cpu(history, explain->pm->end.cpu);

	if (explain->pm->end.how != OUTCOME_CRASHED || !cpu || cpu->runs == HISTORY_NOTHING)
		return NULL;
	/* Without such events each one would seem to run for ever. */
	if (cpu->runs == HISTORY_TIMER ? !history->has_timer_ends : !history->has_work_ends)
		return NULL;
	/* A work item may sleep, and the CPU runs another task then. */
	return cpu->runs == HISTORY_WORK && cpu->runner != explain->pm->end.pid ? NULL : cpu;
}

/* Who asked for it, if it began before the oops; NULL: it did not, or the trace does not have who. */
static const struct history_origin *died_in(const struct explain *explain)
{
	const struct history_cpu *cpu = timers_died_in(explain);
	const struct history_origin *origin;

	if (!cpu || explain->cause->time < cpu->began)
		return NULL;
	origin = history_origin(&explain->history, cpu->object);
	return origin && origin->function && origin->time <= cpu->began ? origin : NULL;
}

/* The module that has the memory at @address now. */
static void put_module_now(struct fault_text *now, const struct explain *explain, u64 address)
{
	char name[KERNEL_SYMBOL_MAX];

	if (words_symbol(explain, address, name, sizeof(name)))
		fault_text_take_module(now, (struct report_text){ name, strlen(name) });
}

/*
 * A timer or work item outlived its module, and the CPU entered what another module has there since, somewhere. Whose function
 * the kernel names is chance.
 */
bool judge_outlived(struct explain *explain)
{
	struct fault_text now = { 0 };
	const struct history_origin *origin;
	struct finding *finding = explain->finding;
	char name[KERNEL_SYMBOL_MAX], place[2 * WORDS_FUNCTION], doer[WORDS_TASK];
	bool is_timer, is_named;

	if (!explain->cause || explain->cause->kind != KERNEL_REPORT_OOPS)
		return false;
	origin = died_in(explain);
	if (!origin)
		return false;
	put_module_now(&now, explain, origin->function);
	if (!*now.module || !history_came_after(&explain->history, now.module, origin->time + APART_NS))
		return false;
	is_timer = history_cpu(&explain->history, explain->pm->end.cpu)->runs == HISTORY_TIMER;
	is_named = words_symbol_at(explain, origin->function, origin->time, origin->raw, name, sizeof(name));
	snprintf(place, sizeof(place), "a function of a module that was there before");
	if (is_named)
		words_place(place, (struct report_text){ name, strlen(name) });
	words_doer(doer, origin->comm, origin->pid);
	finding_claim(finding, "unloaded-module", pm_lost(explain->pm) ? FINDING_POSSIBLE : FINDING_LIKELY,
		      "The CPU ran a %s that outlived its module: %s had %s it for %s, and module %.60s has that memory since.",
		      is_timer ? "timer" : "work item", doer, is_timer ? "armed" : "queued", place, now.module);
	finding_open(finding, "Why the module's exit function did not %s it. The module %.60s lies there by chance, and is innocent.",
		     is_timer ? "cancel" : "wait for", now.module);
	words_report_evidence(explain, explain->cause);
	explain->is_signed_in_part = !is_named;
	if (is_named)
		snprintf(explain->signed_by, sizeof(explain->signed_by), "%s", name);
	memset(explain->fault.module, 0, sizeof(explain->fault.module));
	fault_text_take_module(&explain->fault, (struct report_text){ name, is_named ? strlen(name) : 0 });
	return true;
}
