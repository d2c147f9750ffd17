// SPDX-License-Identifier: GPL-2.0-or-later
#include "quiet_work.h"

#include <stdio.h>
#include <string.h>

#include "words.h"

#define MANY_RUNS	8
#define MANY_GAPS	20		/* the longest time between two runs, so often, without one */
#define LONG_NS		1000000000ULL

/* "f+0x0/0x20 [module]", if it is of that module. */
static bool has_module(const struct explain *explain, u64 function, const char *module, char name[KERNEL_SYMBOL_MAX])
{
	struct fault_text of = { 0 };

	if (!function || !words_symbol(explain, function, name, KERNEL_SYMBOL_MAX))
		return false;
	fault_text_take_module(&of, (struct report_text){ name, strlen(name) });
	return !strcmp(of.module, module);
}

/* Is it run as often as before? Without the ends of such, what was done since its last run would seem to be done by it. */
static bool runs_on(const struct deferred_table *table, const struct deferred *timer, u64 end)
{
	return timer && table->has_ends[timer->kind] && timer->nr_runs >= MANY_RUNS && end - timer->began.time < MANY_GAPS * timer->longest_gap;
}

/* Did it run regularly until @asleep, and not since, while the timer that queued it still runs? */
static bool is_quiet(const struct explain *explain, const struct deferred *work, u64 asleep)
{
	u64 end = explain->pm->end.time, last = work->began.time;
	const struct deferred *timer = deferred_find(&explain->history.deferred, work->asker);

	return work->object && work->kind == DEFERRED_WORK && work->nr_runs >= MANY_RUNS && !work->is_running && last < asleep &&
	       asleep - last < 2 * work->longest_gap && end - last > LONG_NS && end - last > MANY_GAPS * work->longest_gap && runs_on(&explain->history.deferred, timer, end);
}

void quiet_work_add(struct explain *explain, u64 pid, struct report_text place)
{
	const struct history_task *waiter = history_task(&explain->history, pid);
	char name[KERNEL_SYMBOL_MAX], text[2 * WORDS_FUNCTION], by[2 * WORDS_FUNCTION];
	const struct deferred_table *table = &explain->history.deferred;
	u64 asleep = waiter && !waiter->woken ? waiter->out : 0;
	const struct deferred *found = NULL;
	struct finding *finding = explain->finding;
	struct fault_text of = { 0 };
	u32 nr = 0;

	fault_text_take_module(&of, place);
	if (!*of.module || !asleep || pm_lost(explain->pm))
		return;
	for (u32 i = 0; i < DEFERRED_PLACES; i++)
		if (is_quiet(explain, &table->places[i], asleep) && has_module(explain, table->places[i].function, of.module, name)) {
			found = &table->places[i];
			nr++;
		}
	if (nr != 1 || !has_module(explain, deferred_find(table, found->asker)->function, of.module, name))
		return;
	words_place(by, (struct report_text){ name, strlen(name) });
	has_module(explain, found->function, of.module, name);
	words_place(text, (struct report_text){ name, strlen(name) });
	finding_evidence(finding, found->began.time, finding_event(found->began.cpu, "workqueue:workqueue_execute_start"),
			 "%.80s, a work item, ran for the %uth time, in %s-%lld, and never since; the timer of %.80s, which queued it, runs on", text, found->nr_runs,
			 found->began.comm, found->began.pid, by);
	if ((u64)found->began.pid == pid)
		finding_open(finding, "Whether %.80s is to wake it, and is queued behind what this worker runs: a work item that ran %u times up to %llu.%03llu ms before, and never since, though its timer runs on.",
			     text, found->nr_runs, (asleep - found->began.time) / 1000000, (asleep - found->began.time) / 1000 % 1000);
}

void busy_timer_add(struct explain *explain, u64 pid, struct report_text place)
{
	const struct history_task *waiter = history_task(&explain->history, pid);
	const struct deferred_table *table = &explain->history.deferred;
	u64 asleep = waiter && !waiter->woken ? waiter->out : 0, end = explain->pm->end.time;
	char name[KERNEL_SYMBOL_MAX], text[2 * WORDS_FUNCTION];
	const struct deferred *found = NULL;
	struct finding *finding = explain->finding;
	struct fault_text of = { 0 };
	u32 nr = 0;

	fault_text_take_module(&of, place);
	if (!*of.module || !asleep || end - asleep < LONG_NS || pm_lost(explain->pm))
		return;
	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *timer = &table->places[i];

		if (!timer->object || timer->kind == DEFERRED_WORK || timer->woke < asleep || timer->woken_pid == pid || timer->nr_runs < MANY_RUNS ||
		    !runs_on(table, timer, end) || !has_module(explain, timer->function, of.module, name))
			continue;
		found = timer;
		nr++;
	}
	if (nr != 1)
		return;
	has_module(explain, found->function, of.module, name);
	words_place(text, (struct report_text){ name, strlen(name) });
	finding_evidence(finding, found->woke, finding_event(NO_CPU, "sched:sched_waking"), "the timer of %.80s, which runs on, woke %s-%llu, the last time of %u", text,
			 found->woken, found->woken_pid, found->nr_runs);
	finding_open(finding, "Whether %.80s is to wake it: that timer runs on, and its function woke %s-%llu since, and not this task. wake_up_interruptible() passes over one in state D.",
		     text, found->woken, found->woken_pid);
}
