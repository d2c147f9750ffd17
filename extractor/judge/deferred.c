// SPDX-License-Identifier: GPL-2.0-or-later
#include "deferred.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/field_iter.h"

#define FULL	(DEFERRED_PLACES / 4 * 3)

enum doing { DOES_START, DOES_TAKE_OUT, DOES_BEGIN, DOES_END };

static u64 number_in(const struct item *item, const char *name)
{
	struct field field;

	return field_iter_find(item, name, &field) && field.kind == FIELD_NUMBER ? field.number : 0;
}

bool deferred_open(struct deferred_table *table, u32 nr_cpus)
{
	*table = (struct deferred_table){
		.places = calloc(DEFERRED_PLACES, sizeof(*table->places)),
		.takings = calloc(2 * (nr_cpus ?: 1), sizeof(*table->takings)),
		.runs = calloc(2 * (nr_cpus ?: 1), sizeof(*table->runs)),
		.nr_cpus = nr_cpus,
	};
	return table->places && table->takings && table->runs;
}

void deferred_close(struct deferred_table *table)
{
	free(table->places);
	free(table->takings);
	free(table->runs);
	*table = (struct deferred_table){ .places = NULL };
}

static struct deferred *place_of_deferred(const struct deferred_table *table, u64 object)
{
	u32 at = (u32)(object >> 3 ^ object >> 15) % DEFERRED_PLACES;

	while (table->places[at].object && table->places[at].object != object)
		at = (at + 1) % DEFERRED_PLACES;
	return &table->places[at];
}

const struct deferred *deferred_find(const struct deferred_table *table, u64 object)
{
	const struct deferred *found = table->places && object ? place_of_deferred(table, object) : NULL;

	return found && found->object ? found : NULL;
}

static void put_act(struct deferred_act *act, const struct item *item)
{
	*act = (struct deferred_act){ .time = item->time, .raw = item->raw, .cpu = item->cpu, .pid = item->pid };
	text_comm(act->comm, item->comm);
}

/* It was taken out to stay out. */
static void cancel(struct deferred_table *table, struct deferred_taking *taking)
{
	struct deferred *deferred = taking->object ? place_of_deferred(table, taking->object) : NULL;

	taking->object = 0;
	if (!deferred || !deferred->object)
		return;
	deferred->has_many_cancellers |= deferred->nr_cancels && deferred->cancelled.pid != taking->act.pid;
	deferred->nr_cancels++;
	deferred->is_taken = false;
	deferred->cancelled = taking->act;
}

/* Without ends of timers each would seem to run for ever. */
s64 deferred_doer(const struct deferred_table *table, const struct item *item)
{
	bool is_in_timer = item->cpu < table->nr_cpus && ((table->runs[2 * item->cpu] && table->has_ends[DEFERRED_TIMER]) ||
							  (table->runs[2 * item->cpu + 1] && table->has_ends[DEFERRED_FINE]));

	return is_in_timer ? DEFERRED_BY_TIMER : item->pid;
}

static void see_start(struct deferred_table *table, struct deferred *deferred, struct deferred_taking *here, const struct item *item)
{
	/* To start anew one that is started takes it out first; or another task did, and cancelled it. */
	if (here && here->object == deferred->object && here->act.pid == deferred_doer(table, item)) {
		here->object = 0;
		deferred->is_taken = false;
	}
	for (u32 i = 0; deferred->is_taken && i < 2 * table->nr_cpus; i++)
		if (table->takings[i].object == deferred->object)
			cancel(table, &table->takings[i]);
	if (deferred->kind == DEFERRED_WORK && item->cpu < table->nr_cpus)
		deferred->asker = table->runs[2 * item->cpu + 1] ?: table->runs[2 * item->cpu];
	put_act(&deferred->started, item);
	deferred->started.pid = deferred_doer(table, item);
	deferred->nr_starts++;
	deferred->is_pending = true;
}

static void see_run_begin(struct deferred_table *table, struct deferred *deferred, struct deferred_taking *here, const struct item *item)
{
	u64 before = deferred->began.time;

	if (here && here->object == deferred->object) {
		here->object = 0;
		deferred->is_taken = false;
	} else if (here) {
		cancel(table, here);
	}
	if (before && item->time - before > deferred->longest_gap)
		deferred->longest_gap = item->time - before;
	put_act(&deferred->began, item);
	deferred->nr_runs++;
	deferred->is_pending = false;
	deferred->is_running = true;
}

static void see_taking_out(struct deferred_table *table, struct deferred *deferred, struct deferred_taking *here, const struct item *item)
{
	deferred->is_pending = false;
	if (!here)
		return;
	cancel(table, here);
	here->object = deferred->object;
	deferred->is_taken = true;
	put_act(&here->act, item);
	here->act.pid = deferred_doer(table, item);
}

struct deferred_event {
	const char *name, *field;
	enum deferred_kind kind;
	enum doing doing;
};

const struct deferred_event *deferred_event(const char *name)
{
	static const struct deferred_event events[] = {
		{ "timer:timer_start", "timer", DEFERRED_TIMER, DOES_START }, { "timer:timer_cancel", "timer", DEFERRED_TIMER, DOES_TAKE_OUT },
		{ "timer:timer_expire_entry", "timer", DEFERRED_TIMER, DOES_BEGIN }, { "timer:timer_expire_exit", "timer", DEFERRED_TIMER, DOES_END },
		{ "timer:hrtimer_start", "hrtimer", DEFERRED_FINE, DOES_START }, { "timer:hrtimer_cancel", "hrtimer", DEFERRED_FINE, DOES_TAKE_OUT },
		{ "timer:hrtimer_expire_entry", "hrtimer", DEFERRED_FINE, DOES_BEGIN }, { "timer:hrtimer_expire_exit", "hrtimer", DEFERRED_FINE, DOES_END },
		{ "workqueue:workqueue_queue_work", "work", DEFERRED_WORK, DOES_START }, { "workqueue:workqueue_activate_work", "work", DEFERRED_WORK, DOES_START },
		{ "workqueue:workqueue_execute_start", "work", DEFERRED_WORK, DOES_BEGIN },
		{ "workqueue:workqueue_execute_end", "work", DEFERRED_WORK, DOES_END },
	};

	for (size_t i = 0; i < ARRAY_SIZE(events); i++)
		if (!strcmp(name, events[i].name))
			return &events[i];
	return NULL;
}

void deferred_see(struct deferred_table *table, const struct item *item, const struct deferred_event *event)
{
	enum deferred_kind kind = event->kind;
	struct deferred_taking *here = NULL;
	enum doing doing = event->doing;
	struct deferred *deferred;
	u64 object = number_in(item, event->field), function;

	if (!object)
		return;
	if (kind != DEFERRED_WORK && item->cpu < table->nr_cpus)
		here = &table->takings[2 * item->cpu + (kind == DEFERRED_FINE)];
	if (here && (doing == DOES_BEGIN || doing == DOES_END))
		table->runs[here - table->takings] = doing == DOES_BEGIN ? object : 0;
	table->has_takings[kind] |= doing == DOES_TAKE_OUT;
	table->has_ends[kind] |= doing == DOES_END;
	deferred = place_of_deferred(table, object);
	if (!deferred->object && table->nr == FULL) {
		table->nr_dropped++;
		return;
	}
	table->nr += !deferred->object;
	deferred->object = object;
	deferred->kind = kind;
	function = number_in(item, "function");
	if (function)
		deferred->function = function;
	if (doing == DOES_START) {
		see_start(table, deferred, here, item);
	} else if (doing == DOES_TAKE_OUT) {
		see_taking_out(table, deferred, here, item);
	} else if (doing == DOES_BEGIN) {
		see_run_begin(table, deferred, here, item);
	} else {
		deferred->is_running = false;
		put_act(&deferred->ended, item);
	}
}

void deferred_see_waking(struct deferred_table *table, const struct item *item, u64 pid, const char *comm)
{
	u64 runs = item->cpu < table->nr_cpus ? table->runs[2 * item->cpu + 1] ?: table->runs[2 * item->cpu] : 0;
	struct deferred *deferred = runs ? place_of_deferred(table, runs) : NULL;

	if (!deferred || !deferred->object)
		return;
	deferred->woke = item->time;
	deferred->woken_pid = pid;
	text_comm(deferred->woken, comm);
}

void deferred_end(struct deferred_table *table)
{
	for (u32 i = 0; i < 2 * table->nr_cpus; i++)
		cancel(table, &table->takings[i]);
}
