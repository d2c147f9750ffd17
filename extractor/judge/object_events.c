// SPDX-License-Identifier: GPL-2.0-or-later
#include "object_events.h"

#include <stdio.h>
#include <string.h>

#include "base/kernel_half.h"
#include "kernel_state/tasks.h"
#include "linux_kernel/vmem.h"
#include "words.h"

#define NEAR	4096	/* bytes, within one object */
#define MANY_RUNS	2
#define MOST_LOOKS	64	/* at objects */
#define MANY_OTHERS	2	/* objects of the same kind */

/* The task that died, as the kernel printed it, or as the recorder has it. */
static s64 died_pid(const struct explain *explain)
{
	struct report_text pid = explain->cause->pid;

	return pid.text ? (s64)report_text_number(pid, pid.text, 10) : explain->pm->end.pid;
}

/* The work item that died, by the trace: which the task that died runs. */
static const struct deferred *find_died(const struct explain *explain)
{
	const struct history_cpu *cpu = history_cpu(&explain->history, explain->pm->end.cpu);
	const struct deferred *found = NULL;
	s64 pid = died_pid(explain);

	for (u32 i = 0; cpu && explain->history.has_work_ends && i < cpu->nr_works; i++)
		if (cpu->works[i].runner == pid)
			found = deferred_find(&explain->history.deferred, cpu->works[i].object);
	return found && found->is_running && found->began.pid == pid ? found : NULL;
}

/* Is each that runs the function @of accompanied by one that runs @with, @distance bytes behind it? @nr: how many of them there are. */
static bool all_have(const struct deferred_table *table, u64 of, u64 with, s64 distance, u32 *nr)
{
	*nr = 0;
	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *other;

		if (!table->places[i].object || table->places[i].function != of)
			continue;
		other = deferred_find(table, table->places[i].object + (u64)distance);
		if (!other || other->function != with)
			return false;
		++*nr;
	}
	return true;
}

/*
 * Are both of one object? By the bounds of @object of the slab; else by the distance, which is the same for all others of these two functions. In an
 * array of objects the neighbour's are as far for all but the one at its end.
 */
static bool are_of_one_object(const struct explain *explain, const struct kernel_object *object, const struct deferred *died, const struct deferred *timer)
{
	const struct deferred_table *table = &explain->history.deferred;
	s64 distance = (s64)(timer->object - died->object);
	u32 nr, nr_back;

	if (object->size)
		return timer->object - object->start < object->size;
	return distance > -NEAR && distance < NEAR && !table->nr_dropped && all_have(table, died->function, timer->function, distance, &nr) && nr > 1 &&
	       all_have(table, timer->function, died->function, -distance, &nr_back);
}

/* Was it taken out by another task than @pid after @since, and by none ever before? */
static bool was_taken_down(const struct deferred *timer, u64 since, s64 pid)
{
	return timer->kind != DEFERRED_WORK && timer->nr_cancels == 1 && timer->nr_runs >= MANY_RUNS && !timer->is_pending && timer->cancelled.pid > 0 &&
	       timer->cancelled.pid != pid && timer->cancelled.time > since && timer->cancelled.time > timer->started.time;
}

static const struct deferred *find_taken_down(const struct explain *explain, const struct deferred *died)
{
	const struct deferred_table *table = &explain->history.deferred;
	struct kernel_object object = { .size = 0 };
	const struct deferred *found = NULL;

	if (!explain->kernel || !kernel_object_at(explain->kernel, died->object, &object))
		object.size = 0;
	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *timer = &table->places[i];

		if (timer->object && timer->object != died->object && timer->function && was_taken_down(timer, died->began.time, died->began.pid) &&
		    are_of_one_object(explain, &object, died, timer) && (!found || found->cancelled.time < timer->cancelled.time))
			found = timer;
	}
	return found;
}

/* By the dump: what has its function has none any more, nor 0, which its owner may have written. */
static bool is_overwritten(const struct explain *explain, const char *type, const char *member, const struct deferred *of)
{
	char name[KERNEL_SYMBOL_MAX];
	u64 value;

	return explain->kernel && kernel_state_member(explain->kernel, type, member, of->object, &value) && value && value != of->function &&
	       !words_symbol(explain, value, name, sizeof(name));
}

static bool is_timer_overwritten(const struct explain *explain, const struct deferred *timer)
{
	return is_overwritten(explain, timer->kind == DEFERRED_TIMER ? "timer_list" : "hrtimer", "function", timer);
}

static void put_deferred_function(char place[2 * WORDS_FUNCTION], const struct explain *explain, const struct deferred *of)
{
	char name[KERNEL_SYMBOL_MAX];

	snprintf(place, 2 * WORDS_FUNCTION, "an unknown function");
	if (words_deferred(explain, of, name, sizeof(name)))
		words_place(place, (struct report_text){ name, strlen(name) });
}

void object_events_claim(struct explain *explain, const char *place)
{
	struct finding *finding = explain->finding;
	const struct deferred *died = find_died(explain), *timer = died ? find_taken_down(explain, died) : NULL;
	char function[2 * WORDS_FUNCTION], runs[2 * WORDS_FUNCTION];
	u64 us;

	if (!timer || !finding->kind || pm_lost(explain->pm))
		return;
	put_deferred_function(function, explain, timer);
	put_deferred_function(runs, explain, died);
	us = explain->cause->time > timer->cancelled.time ? (explain->cause->time - timer->cancelled.time) / 1000 : 0;
	finding_evidence(finding, died->began.time, finding_event(died->began.cpu, "workqueue:workqueue_execute_start"),
			 "%s-%lld began to run the work item %016llx", died->began.comm, died->began.pid, died->object);
	finding_evidence(finding, timer->cancelled.time, finding_event(timer->cancelled.cpu, timer->kind == DEFERRED_TIMER ? "timer:timer_cancel" : "timer:hrtimer_cancel"),
			 "%s-%lld cancelled the timer %016llx of %.120s, which lies in one object with that work item; in %u runs before no task had",
			 timer->cancelled.comm, timer->cancelled.pid, timer->object, function, timer->nr_runs);
	if (is_timer_overwritten(explain, timer) &&
	    is_overwritten(explain, "work_struct", "func", died)) {
		/* What that memory has now. */
		if (finding->strength == FINDING_LIKELY)
			finding_evidence_timeless(finding, "%s", finding->claim);
		finding_claim(finding, finding->kind, FINDING_LIKELY,
			      "%.100s used an object that was given up under it: %s-%lld cancelled its timer of %.80s %llu.%03llu ms before, while this work item ran, and neither is in that memory any more.",
			      place, timer->cancelled.comm, timer->cancelled.pid, function, us / 1000, us % 1000);
		finding_open(finding, "In which order %s-%lld takes it down: timer and work item may start each other, and neither may be left. Who has that memory now need not be wrong.",
			     timer->cancelled.comm, timer->cancelled.pid);
		return;
	}
	if (finding->strength == FINDING_LIKELY) {
		finding_open(finding, "Whether %s-%lld freed it while %.80s ran: it cancelled its timer of %.80s %llu.%03llu ms before, for the first time in the trace.",
			     timer->cancelled.comm, timer->cancelled.pid, runs, function, us / 1000, us % 1000);
		return;
	}
	finding_open(finding, "Whether %s-%lld gave up the object of %.80s while that ran: it cancelled its timer of %.80s %llu.%03llu ms before, for the first time in the trace.",
		     timer->cancelled.comm, timer->cancelled.pid, runs, function, us / 1000, us % 1000);
}

/* The last timer of the object @slab that was taken out so after @since; NULL: none was. */
static const struct deferred *find_in_object(const struct explain *explain, u64 since, s64 pid)
{
	const struct deferred_table *table = &explain->history.deferred;
	const struct deferred *found = NULL;

	for (u32 i = 0; i < DEFERRED_PLACES; i++) {
		const struct deferred *timer = &table->places[i];

		if (timer->object && timer->object - explain->slab.start < explain->slab.size && timer->function && was_taken_down(timer, since, pid) &&
		    (!found || found->cancelled.time < timer->cancelled.time))
			found = timer;
	}
	return found;
}

/*
 * Have others of the cache a timer of that function at the same place, which is started, and a pointer where the one that died read its
 * own? Then the object was one of these while it had the timer.
 */
static bool is_of_kind(const struct explain *explain, const struct deferred *timer)
{
	u64 member = explain->access.object + (u64)explain->access.object_offset - explain->slab.start, place = timer->object - explain->slab.start, value;
	const struct deferred_table *table = &explain->history.deferred;
	struct kernel_object object;
	u32 nr = 0, looks = 0;

	for (u32 i = 0; i < DEFERRED_PLACES && nr < MANY_OTHERS && looks < MOST_LOOKS && member < explain->slab.size; i++) {
		const struct deferred *other = &table->places[i];

		if (!other->object || other == timer || other->function != timer->function || !other->is_pending)
			continue;
		looks++;
		if (!kernel_object_at(explain->kernel, other->object, &object) || strcmp(object.cache, explain->slab.cache) ||
		    other->object - object.start != place || !vmem_number(explain->kernel->vmem, object.start + member, 8, &value))
			continue;
		if (!in_kernel_half(value))
			return false;
		nr++;
	}
	return nr >= MANY_OTHERS;
}

void object_events_ask(struct explain *explain)
{
	static const char *const open[] = { "Where the pointer got this value", "Who freed it", "Who filled that memory", "Whether what was read is no pointer" };
	const struct kernel_report *report = explain->cause;
	struct finding *finding = explain->finding;
	const struct deferred *timer = NULL;
	char function[2 * WORDS_FUNCTION];
	const struct runner *died;
	bool is_free, is_open = false;
	u64 us;

	if (!explain->has_slab || !explain->access.has_object || !finding->kind || report->interrupted.text || pm_lost(explain->pm))
		return;
	for (size_t i = 0; i < ARRAY_SIZE(open); i++)
		is_open |= !strncmp(finding->open, open[i], strlen(open[i]));
	died = runners_find(&explain->history.runners, (u64)died_pid(explain));
	if (is_open && died && died->out && died->in > died->out)
		timer = find_in_object(explain, 0, (s64)died->pid);
	if (timer && timer->cancelled.time < died->out && !is_of_kind(explain, timer))
		timer = NULL;
	is_free = explain->slab.state == KOBJECT_FREE;
	if (!timer || (!is_free && !is_timer_overwritten(explain, timer)))
		return;
	put_deferred_function(function, explain, timer);
	us = report->time > timer->cancelled.time ? (report->time - timer->cancelled.time) / 1000 : 0;
	finding_evidence(finding, timer->cancelled.time, finding_event(timer->cancelled.cpu, timer->kind == DEFERRED_TIMER ? "timer:timer_cancel" : "timer:hrtimer_cancel"),
			 "%s-%lld cancelled the timer %016llx of %.120s, which lies in that object; in %u runs before no task had", timer->cancelled.comm,
			 timer->cancelled.pid, timer->object, function, timer->nr_runs);
	finding_open(finding, "Whether %s-%lld gave the object up with %s-%llu still using it: it cancelled its timer of %.80s %llu.%03llu ms before, and %s.",
		     timer->cancelled.comm, timer->cancelled.pid, died->comm, died->pid, function, us / 1000, us % 1000,
		     is_free ? "the object is free now" : "that timer is in its memory no more");
}
