// SPDX-License-Identifier: GPL-2.0-or-later
#include "history.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "event/field_iter.h"

#define ANY_SLEEP	0xff	/* of prev_state: the bit above says "preempted", include/linux/sched.h */
#define MOST_MISFREE	8192	/* bytes of an object of kmalloc(); more are pages */
#define ZERO_SIZE_PTR	16	/* include/linux/slab.h */
#define MAX_RT_PRIO	100	/* include/linux/sched/prio.h */

void history_ask_task(struct history *history, u64 pid)
{
	if (history->nr_tasks < HISTORY_TASKS && !history_task(history, pid))
		history->tasks[history->nr_tasks++].pid = pid;
}

void history_ask_value(struct history *history, u64 value)
{
	for (u32 i = 0; i < history->nr_values; i++)
		if (history->values[i].value == value)
			return;
	if (history->nr_values < HISTORY_VALUES)
		history->values[history->nr_values++].value = value;
}

const struct history_task *history_task(const struct history *history, u64 pid)
{
	for (u32 i = 0; i < history->nr_tasks; i++)
		if (history->tasks[i].pid == pid)
			return &history->tasks[i];
	return NULL;
}

const struct history_value *history_value(const struct history *history, u64 value)
{
	for (u32 i = 0; i < history->nr_values; i++)
		if (history->values[i].value == value && history->values[i].nr)
			return &history->values[i];
	return NULL;
}

const struct history_cpu *history_cpu(const struct history *history, u32 cpu)
{
	return cpu < history->nr_cpus && history->cpus[cpu].last ? &history->cpus[cpu] : NULL;
}

static bool number_of(const struct item *item, const char *name, u64 *ret)
{
	struct field field;

	if (!field_iter_find(item, name, &field) || field.kind != FIELD_NUMBER)
		return false;
	*ret = field.number;
	return true;
}

static void text_of(const struct item *item, const char *name, char *to, size_t size)
{
	struct field field;
	size_t len = 0;

	if (field_iter_find(item, name, &field) && field.kind == FIELD_TEXT)
		len = field.size < size ? field.size : size - 1;
	if (len)
		memcpy(to, field.data, len);
	to[len] = '\0';
}

/* --- tasks --------------------------------------------------------------- */

static bool is_migration(const char *comm, u32 cpu)
{
	static const char begin[] = "migration/";
	char number[16];

	if (strncmp(comm, begin, strlen(begin)))
		return false;
	snprintf(number, sizeof(number), "%u", cpu);
	return !strcmp(comm + strlen(begin), number);
}

static void see_switch(struct history *history, const struct item *item)
{
	struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;
	u64 prev, next, priority, state;
	char comm[17];

	if (!number_of(item, "prev_pid", &prev) || !number_of(item, "next_pid", &next))
		return;
	history->has_switches = true;
	text_of(item, "prev_comm", comm, sizeof(comm));
	runners_see_out(&history->runners, item->time, prev, number_of(item, "prev_state", &state) ? state : 0, comm);
	text_of(item, "next_comm", comm, sizeof(comm));
	runners_see_in(&history->runners, item->time, next, comm);
	for (u32 i = 0; i < history->nr_tasks; i++) {
		struct history_task *task = &history->tasks[i];

		if (!task->seen && (task->pid == prev || task->pid == next))
			task->seen = item->time;
		if (task->pid == prev) {
			task->out = item->time;
			task->out_cpu = item->cpu;
			task->was_preempted = number_of(item, "prev_state", &state) && !(state & ANY_SLEEP);
			task->woken = 0;
		}
		if (task->pid == next && !task->woken)
			task->woken = item->time;
	}
	if (!cpu)
		return;
	/* It has the highest priority of all, and is no sign that others may run. */
	cpu->migration = 0;
	if (is_migration(comm, item->cpu) && number_of(item, "next_prio", &priority) && !priority) {
		cpu->was_stopped = true;
		cpu->migration = item->time;
		return;
	}
	if (cpu->was_stopped && cpu->pid == next)
		return;
	cpu->was_stopped = false;
	cpu->switched = item->time;
	cpu->pid = next;
	cpu->is_realtime = number_of(item, "next_prio", &priority) && (s64)priority < MAX_RT_PRIO;
	text_of(item, "next_comm", cpu->comm, sizeof(cpu->comm));
}

/* The timer's function or the work item that the CPU runs, and that is asked for, woke a task. */
static void see_woken_by(struct history *history, const struct item *item, u64 pid)
{
	const struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;

	for (u32 i = 0; cpu && cpu->runs != HISTORY_NOTHING && i < history->nr_values; i++) {
		struct history_use *use = &history->values[i].last[0];

		if (!history->values[i].nr || use->cpu != item->cpu || use->time != cpu->began || use->pid != item->pid || *use->woken)
			continue;
		use->woken_pid = pid;
		text_of(item, "comm", use->woken, sizeof(use->woken));
	}
}

static void see_wakeup(struct history *history, const struct item *item)
{
	char comm[17];
	u64 pid;

	if (!number_of(item, "pid", &pid))
		return;
	text_of(item, "comm", comm, sizeof(comm));
	deferred_see_waking(&history->deferred, item, pid, comm);
	if (history->nr_values)
		see_woken_by(history, item, pid);
	for (u32 i = 0; i < history->nr_tasks; i++)
		if (history->tasks[i].pid == pid)
			history->tasks[i].woken = item->time;
}

static void see_module(struct history *history, const struct item *item, bool is_gone)
{
	struct history_module *list = history->modules;

	if (history->nr_modules == HISTORY_MODULES) {
		memmove(list, list + 1, (HISTORY_MODULES - 1) * sizeof(*list));
		history->nr_modules--;
	}
	list[history->nr_modules].time = item->time;
	list[history->nr_modules].is_gone = is_gone;
	text_of(item, "name", list[history->nr_modules].name, sizeof(list->name));
	history->nr_modules++;
}

bool history_came_after(const struct history *history, const char *module, u64 time)
{
	for (u32 i = 0; i < history->nr_modules; i++)
		if (!strcmp(history->modules[i].name, module))
			return !history->modules[i].is_gone && history->modules[i].time > time;
	return false;
}

/* --- timers and work items ------------------------------------------------ */

static struct history_origin *place_of_origin(const struct history *history, u64 object)
{
	return &history->origins[(object >> 4 ^ object >> 14) % HISTORY_ORIGINS];
}

const struct history_origin *history_origin(const struct history *history, u64 object)
{
	const struct history_origin *origin = place_of_origin(history, object);

	return object && origin->object == object ? origin : NULL;
}

static void put_origin(const struct history *history, struct history_origin *origin, const struct item *item, u64 object)
{
	*origin = (struct history_origin){
		.object = object, .time = item->time, .raw = item->raw, .cpu = item->cpu, .pid = deferred_doer(&history->deferred, item),
	};
	number_of(item, "function", &origin->function);
	text_comm(origin->comm, item->comm);
}

/* One that arms itself again has the task that armed it first. */
static void see_origin(struct history *history, const struct item *item, const char *field)
{
	const struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;
	struct history_origin *origin;
	u64 object;

	if (!number_of(item, field, &object))
		return;
	origin = place_of_origin(history, object);
	if (cpu && cpu->runs == HISTORY_TIMER && history->has_timer_ends && cpu->object == object && origin->object == object)
		return;
	put_origin(history, origin, item, object);
}

static struct history_fine *place_of_fine(const struct history *history, u64 timer)
{
	return &history->fine[(timer >> 3 ^ timer >> 14) % HISTORY_FINE];
}

const struct history_fine *history_fine(const struct history *history, u64 timer)
{
	const struct history_fine *fine = place_of_fine(history, timer);

	return timer && fine->origin.object == timer ? fine : NULL;
}

#define AGAIN_NS	1000000		/* between a run of a timer and what arms it anew for that */

/* Does the timer arm itself again, as HRTIMER_RESTART has it? The task there was only interrupted. */
static bool arms_itself(const struct history *history, const struct item *item, const struct history_fine *fine)
{
	const struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;

	return cpu && cpu->repeated && cpu->repeated == fine->origin.object && item->time - cpu->ticked < AGAIN_NS;
}

/* It is taken out before it runs, and armed anew behind that. */
static void see_fine(struct history *history, const struct item *item, bool is_armed)
{
	struct history_fine *fine;
	u64 timer;

	if (!number_of(item, "hrtimer", &timer))
		return;
	fine = place_of_fine(history, timer);
	if (is_armed && (fine->origin.object != timer || !arms_itself(history, item, fine)))
		put_origin(history, &fine->origin, item, timer);
	if (is_armed && fine->origin.object == timer && !number_of(item, "expires", &fine->origin.expires))
		fine->origin.expires = 0;
	if (fine->origin.object == timer)
		fine->is_armed = is_armed;
	if (item->cpu < history->nr_cpus) {
		history->cpus[item->cpu].fine = timer;
		history->cpus[item->cpu].fine_is_armed = is_armed;
	}
}

static void see_begin(struct history *history, const struct item *item, enum history_deferred runs,
		      const char *field)
{
	struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;

	if (!cpu || !number_of(item, field, &cpu->object))
		return;
	cpu->runs = runs;
	cpu->began = item->time;
	cpu->runner = item->pid;
}

static void see_work_begin(struct history *history, const struct item *item)
{
	struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;
	u64 object;

	if (!cpu || !number_of(item, "work", &object))
		return;
	if (cpu->nr_works == HISTORY_WORKS)
		memmove(cpu->works, cpu->works + 1, --cpu->nr_works * sizeof(*cpu->works));
	cpu->works[cpu->nr_works++] = (struct history_work){ object, item->time, item->pid };
}

static void see_work_end(struct history *history, const struct item *item)
{
	struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;

	for (u32 i = cpu ? cpu->nr_works : 0; i-- > 0;) {
		if (cpu->works[i].runner != item->pid)
			continue;
		memmove(cpu->works + i, cpu->works + i + 1, (--cpu->nr_works - i) * sizeof(*cpu->works));
		return;
	}
}

static void see_end(struct history *history, const struct item *item, bool is_timer)
{
	history->has_timer_ends |= is_timer;
	history->has_work_ends |= !is_timer;
	if (item->cpu < history->nr_cpus)
		history->cpus[item->cpu].runs = HISTORY_NOTHING;
}

#define TICK_NS		20000000ULL	/* the clock of a CPU that runs a task ticks more often */
#define ONE_TICK_NS	500000ULL	/* in which timers run in one interrupt */

static void see_tick(struct history_cpu *cpu, const struct item *item)
{
	u64 timer, now;

	if (item->time - cpu->ticked > ONE_TICK_NS)
		cpu->ticked_before = cpu->ticked;
	cpu->ticked = item->time;
	if (!number_of(item, "hrtimer", &timer) || !number_of(item, "now", &now))
		return;
	if (timer == cpu->repeated && now == cpu->repeated_now) {
		cpu->repeats++;
		return;
	}
	cpu->repeats = 1;
	cpu->repeated = timer;
	cpu->repeated_now = now;
	cpu->repeated_function = 0;
	number_of(item, "function", &cpu->repeated_function);
}

static void see_deferred(struct history *history, const struct item *item, enum history_kind kind)
{
	struct history_cpu *cpu = item->cpu < history->nr_cpus ? &history->cpus[item->cpu] : NULL;

	switch (kind) {
	case HISTORY_TIMER_START:
		return see_origin(history, item, "timer");
	case HISTORY_TIMER_CANCEL:
		if (cpu)
			number_of(item, "timer", &cpu->cancelled);
		return;
	case HISTORY_TIMER_BEGIN:
		return see_begin(history, item, HISTORY_TIMER, "timer");
	case HISTORY_TIMER_END:
		return see_end(history, item, true);
	case HISTORY_FINE_START:
	case HISTORY_FINE_CANCEL:
		return see_fine(history, item, kind == HISTORY_FINE_START);
	case HISTORY_FINE_BEGIN:
		if (cpu)
			see_tick(cpu, item);
		return;
	case HISTORY_WORK_QUEUE:
		return see_origin(history, item, "work");
	case HISTORY_WORK_BEGIN:
		see_begin(history, item, HISTORY_WORK, "work");
		return see_work_begin(history, item);
	case HISTORY_WORK_END:
		see_end(history, item, false);
		return see_work_end(history, item);
	default:
		return;
	}
}

/* --- objects ------------------------------------------------------------- */

static struct history_taking *place_of_taken(const struct history *history, u64 object)
{
	return &history->taken[(object >> 4 ^ object >> 16) % HISTORY_FREED];
}

static void see_taken(struct history *history, const struct item *item, u64 object)
{
	struct history_taking *taken = place_of_taken(history, object);
	u64 size;

	*taken = (struct history_taking){ .object = 0 };
	/* Memory that is given out within a larger object has left that, also by a way without an event, such as kfree_rcu(). */
	for (u64 size = 16; size <= MOST_MISFREE; size *= 2) {
		struct history_taking *around = place_of_taken(history, object & ~(size - 1));

		if (around->object == (object & ~(size - 1)) && object - around->object < around->size)
			around->object = 0;
	}
	if (!number_of(item, "bytes_alloc", &size) || size > MOST_MISFREE)
		return;
	*taken = (struct history_taking){ .object = object, .size = size, .time = item->time, .raw = item->raw, .pid = item->pid };
	number_of(item, "call_site", &taken->site);
	text_comm(taken->comm, item->comm);
}

/* Is it an address within an object that was taken, and was not freed since? Those of kmalloc() begin at multiples of their size. */
static void see_misfree(struct history *history, const struct item *item, const struct history_freeing *now)
{
	struct history_taking *taken = place_of_taken(history, now->object);

	if (taken->object == now->object) {
		taken->object = 0;
		return;
	}
	for (u64 size = 16; size <= MOST_MISFREE; size *= 2) {
		u64 start = now->object & ~(size - 1);

		taken = place_of_taken(history, start);
		if (start == now->object || taken->object != start || now->object - start >= taken->size)
			continue;
		if (history->misfree.nr++)
			return;
		history->misfree.freed = *now;
		history->misfree.taken = *taken;
		number_of(item, "call_site", &history->misfree.site);
		return;
	}
}

/* Of all other events of kmem than kfree an object may be in use again. */
static void see_object(struct history *history, const struct item *item, enum history_kind kind)
{
	struct history_freeing *freed, now = { .time = item->time, .raw = item->raw, .cpu = item->cpu, .pid = item->pid };
	u64 object;

	/* Of no bytes, kmalloc() gives the same pointer to all. */
	if (!number_of(item, "ptr", &object) || object <= ZERO_SIZE_PTR)
		return;
	freed = &history->freed[(object >> 4 ^ object >> 16) % HISTORY_FREED];
	history->has_allocations |= kind == HISTORY_ALLOCATION;
	history->has_frees |= kind == HISTORY_FREE;
	if (kind != HISTORY_FREE) {
		if (freed->object == object)
			freed->object = 0;
		see_taken(history, item, object);
		return;
	}
	now.object = object;
	text_comm(now.comm, item->comm);
	see_misfree(history, item, &now);
	if (freed->object == object) {
		history->first = *freed;
		history->second = now;
	}
	*freed = now;
}

/* --- values -------------------------------------------------------------- */

/* Cheaper than to look at each field of each event. */
static bool may_have(const struct item *item, u64 value)
{
	const u8 *at = item->payload;
	u8 bytes[8], swapped[8];

	memcpy(bytes, &value, 8);
	for (u32 i = 0; i < 8; i++)
		swapped[i] = bytes[7 - i];
	for (u32 i = 0; i + 8 <= item->size; i += 4)
		if (!memcmp(at + i, bytes, 8) || !memcmp(at + i, swapped, 8))
			return true;
	return false;
}

static void see_value(struct history_value *value, const struct item *item)
{
	struct history_use *use = value->last;
	struct field_iter fields;
	struct field field;

	field_iter_begin(&fields, item);
	while (fields.known && field_iter_next(&fields, &field)) {
		if (field.kind != FIELD_NUMBER || field.number != value->value)
			continue;
		value->nr++;
		memmove(use + 1, use, (HISTORY_USES - 1) * sizeof(*use));
		*use = (struct history_use){ .time = item->time, .raw = item->raw, .cpu = item->cpu, .pid = item->pid };
		if (!number_of(item, "call_site", &use->site))
			use->site = 0;
		if (!number_of(item, "hrtimer", &use->object) && !number_of(item, "timer", &use->object) && !number_of(item, "work", &use->object))
			use->object = 0;
		text_comm(use->comm, item->comm);
		snprintf(use->event, sizeof(use->event), "%s", formats_name(item->stream->formats, item->id));
		snprintf(use->field, sizeof(use->field), "%s", field.name);
		return;
	}
}

/* --- the walk ------------------------------------------------------------ */

static enum history_kind kind_by_name(const struct item *item, const char *name)
{
	static const struct {
		const char *pattern;
		enum history_kind kind;
	} kinds[] = {
		{ "sched:sched_wak*", HISTORY_WAKEUP },
		{ "module:module_load", HISTORY_LOAD },
		{ "module:module_free", HISTORY_UNLOAD },
		{ "kmem:kmalloc", HISTORY_ALLOCATION },
		{ "kmem:kfree", HISTORY_FREE },
		{ "kmem:*", HISTORY_OBJECT },
		{ "timer:timer_start", HISTORY_TIMER_START },
		{ "timer:timer_cancel", HISTORY_TIMER_CANCEL },
		{ "timer:timer_expire_entry", HISTORY_TIMER_BEGIN },
		{ "timer:timer_expire_exit", HISTORY_TIMER_END },
		{ "timer:hrtimer_start", HISTORY_FINE_START },
		{ "timer:hrtimer_cancel", HISTORY_FINE_CANCEL },
		{ "timer:hrtimer_expire_entry", HISTORY_FINE_BEGIN },
		{ "workqueue:workqueue_queue_work", HISTORY_WORK_QUEUE },
		{ "workqueue:workqueue_execute_start", HISTORY_WORK_BEGIN },
		{ "workqueue:workqueue_execute_end", HISTORY_WORK_END },
	};

	if (formats_get(item->stream->formats, item->id)->is_switch)
		return HISTORY_SWITCH;
	for (size_t i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!fnmatch(kinds[i].pattern, name, 0))
			return kinds[i].kind;
	return HISTORY_OTHER;
}

/* A trace has millions of events, and few kinds of them: a name is looked at once. */
static const struct history_known_kind *known_kind(struct history *history, const struct item *item)
{
	struct history_known_kind *known = &history->kinds[item->id % HISTORY_KINDS];
	struct formats *formats = item->stream->formats;

	if (known->formats != formats || known->id != item->id) {
		const char *name = formats_name(formats, item->id);

		*known = (struct history_known_kind){ formats, item->id, kind_by_name(item, name), deferred_event(name) };
	}
	return known;
}

static void see_event(struct history *history, const struct item *item)
{
	const struct history_known_kind *known = known_kind(history, item);

	if (known->kind == HISTORY_SWITCH)
		return see_switch(history, item);
	for (u32 i = 0; i < history->nr_values; i++)
		if (may_have(item, history->values[i].value))
			see_value(&history->values[i], item);
	if (known->deferred)
		deferred_see(&history->deferred, item, known->deferred);
	if (known->kind == HISTORY_WAKEUP)
		see_wakeup(history, item);
	else if (known->kind == HISTORY_LOAD || known->kind == HISTORY_UNLOAD)
		see_module(history, item, known->kind == HISTORY_UNLOAD);
	else if (known->kind == HISTORY_ALLOCATION || known->kind == HISTORY_FREE || known->kind == HISTORY_OBJECT)
		see_object(history, item, known->kind);
	else
		see_deferred(history, item, known->kind);
}

/* Ticks its clock, and is that recorded? It may run by others: where a CPU idles, has one task alone, or has no timers of high resolution. */
static bool ticks(const struct history_cpu *cpu)
{
	return cpu->ticked_before && cpu->ticked - cpu->ticked_before < TICK_NS && cpu->last - cpu->ticked < TICK_NS;
}

static void see_time(struct history_cpu *cpu, u64 time)
{
	if (cpu->pid && ticks(cpu) && time > cpu->last && time - cpu->last > cpu->gap) {
		cpu->gap = time - cpu->last;
		cpu->gap_end = time;
	}
	cpu->last = time;
}

static void see_item(struct history *history, const struct item *item, u64 end)
{
	if (item->kind != ITEM_EVENT || !item->stream || item->time > end ||
	    item->marks & ITEM_IN_DAMAGED)
		return;
	history->nr_events++;
	if (item->cpu < history->nr_cpus)
		see_time(&history->cpus[item->cpu], item->time);
	see_event(history, item);
}

/* False: the text of a console has the event, and does not say when it was. */
static bool is_placed(const struct postmortem *pm, const struct item *item)
{
	return !pm->console || !item->stream || item->stream->clock != STREAM_LOCAL || !item->stream->is_unsure;
}

int history_read(struct history *history, struct postmortem *pm, struct err *err)
{
	struct timeline *timeline;
	const struct item *item;
	int ret;

	history->nr_cpus = pm->origin.nr_cpus < HISTORY_MAX_CPUS ? pm->origin.nr_cpus :
								    HISTORY_MAX_CPUS;
	history->cpus = calloc(history->nr_cpus ?: 1, sizeof(*history->cpus));
	history->origins = calloc(HISTORY_ORIGINS, sizeof(*history->origins));
	history->fine = calloc(HISTORY_FINE, sizeof(*history->fine));
	history->freed = calloc(HISTORY_FREED, sizeof(*history->freed));
	history->taken = calloc(HISTORY_FREED, sizeof(*history->taken));
	if (!deferred_open(&history->deferred, history->nr_cpus) || !runners_open(&history->runners) || !history->cpus || !history->origins || !history->fine || !history->freed || !history->taken)
		return err_sys(err, "the CPUs of the trace");
	ret = timeline_open(&timeline, pm, 0, false, err);
	if (ret)
		return ret;
	while ((item = timeline_next(timeline)))
		if (is_placed(pm, item))
			see_item(history, item, pm->end.time);
		else
			history->nr_events++;
	timeline_close(timeline);
	deferred_end(&history->deferred);
	return 0;
}

void history_free(struct history *history)
{
	deferred_close(&history->deferred);
	runners_close(&history->runners);
	free(history->cpus);
	free(history->origins);
	free(history->fine);
	free(history->freed);
	free(history->taken);
	history->taken = NULL;
	history->freed = NULL;
	history->cpus = NULL;
	history->origins = NULL;
	history->fine = NULL;
}
