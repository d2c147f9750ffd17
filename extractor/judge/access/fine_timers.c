// SPDX-License-Identifier: GPL-2.0-or-later
#include "fine_timers.h"

#include <stdlib.h>
#include <string.h>

#include "fault/function_code.h"
#include "fault/last_load.h"
#include "judge/words.h"
#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"

#define LINKS		24	/* bytes of struct rb_node, with which a timer begins: include/linux/hrtimer.h */
#define NEAR_FRAMES	4

/* Does the code at the place walk the tree of a CPU's timers of high resolution? */
static bool walks_timers(const struct kernel_report *report)
{
	static const char *const tree[] = { "rb_", "__rb_", "timerqueue_", NULL };
	static const char *const timers[] = {
		"hrtimer_", "__hrtimer_", "enqueue_hrtimer", "__remove_hrtimer", "remove_hrtimer", "__run_hrtimer", NULL,
	};
	char function[WORDS_FUNCTION];

	words_function(function, report->place);
	if (!plumbing_begins(function, tree))
		return false;
	for (u32 i = 0; i < report->nr_frames && i < NEAR_FRAMES; i++) {
		words_function(function, report->frames[i]);
		if (plumbing_begins(function, timers))
			return true;
	}
	return false;
}

/* The timer that the pointer of the fault was read from, if it was armed; NULL: it is not seen. */
static const struct history_fine *timer_read(const struct explain *explain)
{
	const struct faulting_access *access = &explain->access;
	struct function_code *code = malloc(sizeof(*code));
	const struct history_fine *timer = NULL;
	u64 value;
	s64 offset = -1;
	s32 from = -1;

	if (code && access->has_memory && access->agrees && access->memory.index < 0 && access->memory.base >= 0 &&
	    function_code_read(code, explain->kernel, explain->death, explain->cause) &&
	    last_load_find(code, access->memory.base, &from, &offset) && offset >= 0 && offset < LINKS &&
	    fault_text_register(&explain->fault, instruction_register(code->set, from), &value))
		timer = history_fine(&explain->history, value);
	free(code);
	return timer;
}

/* What is to be armed or taken out now is not in the tree as others are. */
static bool is_at_hand(const struct explain *explain, const struct history_fine *timer)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, explain->pm->end.cpu);

	return cpu && cpu->fine == timer->origin.object && cpu->fine_is_armed;
}

/* Has the memory still the function that it was armed for? Then it is whole. */
static bool is_whole(const struct explain *explain, const struct history_fine *timer)
{
	const struct kernel *kernel = explain->kernel;
	struct btf_member_place place;
	u64 function;

	return kernel && kernel->ktypes && !kernel_btf_member(kernel->ktypes, "hrtimer", "function", &place) &&
	       vmem_number(kernel->vmem, timer->origin.object + place.offset, 8, &function) && function == timer->origin.function;
}

bool fine_timers_claim(struct explain *explain)
{
	struct finding *finding = explain->finding;
	const struct history_origin *origin;
	char function[WORDS_FUNCTION], place[2 * WORDS_FUNCTION], doer[WORDS_TASK];
	char *name = explain->signed_by;
	const struct history_fine *timer;

	if (explain->cause->kind != KERNEL_REPORT_OOPS || !walks_timers(explain->cause))
		return false;
	timer = timer_read(explain);
	if (!timer || is_at_hand(explain, timer) || is_whole(explain, timer) ||
	    !words_symbol_at(explain, timer->origin.function, timer->origin.time, timer->origin.raw, name, sizeof(explain->signed_by)))
		return false;
	origin = &timer->origin;
	words_doer(doer, origin->comm, origin->pid);
	words_function(function, explain->cause->place);
	words_place(place, (struct report_text){ name, strlen(name) });
	fault_text_take_module(&explain->fault, (struct report_text){ name, strlen(name) });
	finding_claim(finding, "timer-damaged", timer->is_armed && !pm_lost(explain->pm) ? FINDING_LIKELY : FINDING_POSSIBLE,
		      "The timer of high resolution %016llx, which %s had armed for %s, was freed or overwritten while it was armed: %s() read a bad pointer from it.",
		      origin->object, doer, place, function);
	finding_open(finding, "Who freed or overwrote it: look for where hrtimer_cancel() is missing. The task that was running and the timer code are not to blame.");
	finding_evidence(finding, origin->time, finding_event(origin->cpu, "timer:hrtimer_start"), "%s armed the timer %016llx, on CPU %u", doer, origin->object,
			 origin->cpu);
	words_report_evidence(explain, explain->cause);
	finding_next(finding, "epitaph report --all --event 'timer:hrtimer_start' FILE");
	return true;
}
