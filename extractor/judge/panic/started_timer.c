// SPDX-License-Identifier: GPL-2.0-or-later
#include "started_timer.h"

#include <stdio.h>
#include <string.h>

#include "fault/callers.h"
#include "judge/words.h"

#define MANY_ROUNDS	3	/* of a start and a cancel */

/* The only one that a register leads to, and that is started. */
static const struct deferred *find_started(const struct explain *explain)
{
	const struct deferred *found = NULL;

	for (u32 i = 0; i < explain->fault.nr_registers; i++) {
		const struct deferred *timer = deferred_find(&explain->history.deferred, explain->fault.registers[i].value);

		if (!timer || timer->kind != DEFERRED_TIMER || !timer->is_pending || timer == found)
			continue;
		if (found)
			return NULL;
		found = timer;
	}
	return found;
}

/* Was it cancelled by one task behind each start but the last, and did not run? */
static bool is_always_cancelled(const struct deferred *timer)
{
	return timer->nr_cancels >= MANY_ROUNDS && timer->nr_starts == timer->nr_cancels + 1 && !timer->has_many_cancellers && !timer->nr_runs &&
	       timer->cancelled.pid > 0 && timer->cancelled.time < timer->started.time;
}

/* " in f() of module m", the only function of the module that started it which cancels timers; "": not known. */
static void put_only_canceller(char text[2 * WORDS_FUNCTION], const struct explain *explain, const struct deferred *timer)
{
	const struct kernel *kernel = explain->kernel;
	const struct kernel_module *module = kernel && kernel->modules ? kernel_modules_at(kernel->modules, timer->function) : NULL;
	char place[2 * WORDS_FUNCTION];
	struct named_functions cancels;

	*text = '\0';
	if (!module || !callers_cancelling(&cancels, kernel, module) || cancels.nr != 1)
		return;
	words_place(place, (struct report_text){ cancels.names[0], strlen(cancels.names[0]) });
	snprintf(text, 2 * WORDS_FUNCTION, ", in %.80s, which alone of it cancels timers", place);
}

static void add_cancels(struct explain *explain, const struct deferred *timer)
{
	const struct runner *canceller = runners_find(&explain->history.runners, (u64)timer->cancelled.pid);
	struct finding *finding = explain->finding;
	char where[2 * WORDS_FUNCTION];

	put_only_canceller(where, explain, timer);
	finding_evidence(finding, timer->cancelled.time, finding_event(timer->cancelled.cpu, "timer:timer_cancel"),
			 "%s-%lld cancelled the timer, as it had behind each of its %u starts up to then", timer->cancelled.comm, timer->cancelled.pid,
			 timer->nr_cancels);
	if (canceller && canceller->in > timer->started.time)
		finding_evidence(finding, canceller->in, finding_event(NO_CPU, "sched:sched_switch"),
				 "%s-%lld ran last, and has not cancelled it since it was started", timer->cancelled.comm, timer->cancelled.pid);
	finding_open(finding, "Why %s-%lld did not cancel it this time%s: it had done so behind each of the %u starts before. Or the start should be mod_timer().",
		     timer->cancelled.comm, timer->cancelled.pid, where, timer->nr_cancels);
}

bool started_timer_claim(struct explain *explain, const char *kind, const char *by, const char *behind)
{
	const struct deferred *timer = find_started(explain);
	struct finding *finding = explain->finding;
	char name[KERNEL_SYMBOL_MAX], function[2 * WORDS_FUNCTION] = "", doer[WORDS_TASK];
	u64 us;

	if (!timer || explain->cause->time < timer->started.time || !explain->history.deferred.has_takings[DEFERRED_TIMER])
		return false;
	us = (explain->cause->time - timer->started.time) / 1000;
	words_doer(doer, timer->started.comm, timer->started.pid);
	if (words_deferred(explain, timer, name, sizeof(name)))
		words_place(function, (struct report_text){ name, strlen(name) });
	finding_claim(finding, kind, pm_lost(explain->pm) ? FINDING_POSSIBLE : FINDING_LIKELY,
		      "%.80s gave add_timer() a timer%s%.80s that was started already: %s had started it %llu.%03llu ms before, and it has neither run nor been cancelled since.%s",
		      by, *function ? " of " : "", function, doer, us / 1000, us % 1000, behind);
	finding_open(finding, "Which of the two starts is wrong, or where it was to be cancelled: mod_timer() starts it anew.");
	finding_evidence(finding, timer->started.time, finding_event(timer->started.cpu, "timer:timer_start"), "%s started the timer %016llx, on CPU %u",
			 doer, timer->object, timer->started.cpu);
	if (is_always_cancelled(timer))
		add_cancels(explain, timer);
	return true;
}
