/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the timeline has of the CPUs, tasks and addresses of a crash, by one walk along it. */
#ifndef EPITAPH_JUDGE_HISTORY_H
#define EPITAPH_JUDGE_HISTORY_H

#include "deferred.h"
#include "runners.h"
#include "timeline/timeline.h"

#define HISTORY_TASKS		16
#define HISTORY_WORKS		4
#define HISTORY_VALUES		16
#define HISTORY_USES		4	/* of one value */
#define HISTORY_MODULES		8
#define HISTORY_MAX_CPUS	4096
#define HISTORY_ORIGINS		1024
#define HISTORY_FINE		512	/* timers of high resolution */
#define HISTORY_FREED		8192
#define HISTORY_KINDS		256	/* of events */

enum history_deferred { HISTORY_NOTHING, HISTORY_TIMER, HISTORY_WORK };

/**
 * struct history_origin - who armed a timer or queued a work item last; @pid is DEFERRED_BY_TIMER: a timer's function
 * @object: its address; 0: none
 * @function: of a timer; 0: not known
 * @expires: of a timer of high resolution, by its own clock, as a rule CLOCK_MONOTONIC; 0: not known
 */
struct history_origin {
	u64 object;
	u64 function;
	u64 expires;
	u64 time;
	u64 raw;
	u32 cpu;
	s64 pid;
	char comm[17];
};

/* A timer of high resolution: who armed it last; @is_armed: it was neither cancelled nor run since. */
struct history_fine {
	struct history_origin origin;
	bool is_armed;
};

/* A work item that the task @runner began to run. */
struct history_work {
	u64 object;
	u64 began;
	s64 runner;
};

/**
 * struct history_cpu - the last of one CPU before the end
 * @last: of its last event; 0: it has none
 * @switched: when it began to run @comm; 0: the trace has no switch of it
 * @ticked: when a timer of high resolution ran last, as that of its clock does
 * @repeats: how often in a row it ran the timer of high resolution @repeated, for its function @repeated_function, at
 *	one and the same reading of the clock, @repeated_now, which an interrupt takes at its start; the last of
 *	them at @ticked
 * @gap: the longest time between two of its events, in which it ran a task, and before which its clock had ticked as it does then; it ended
 *	at @gap_end
 * @ticked_before: the tick before @ticked, in another interrupt
 * @is_realtime: @comm has a priority of real time
 * @migration: when it switched to its migration thread, which runs still; 0: it does not
 * @was_stopped: a migration thread ran since then for a moment, before all others, and @comm went on
 * @cancelled: the timer that it took out of its wheel last of all; 0: none
 * @fine: the timer of high resolution that it armed or took out last of all; 0: none; @fine_is_armed: it armed it
 * @runs: the timer or the work item at address @object that it began to run at @began, in the task
 *	@runner, and did not end
 * @works: the last work items that it began to run and that did not end, the newest last
 */
struct history_cpu {
	u64 last;
	u64 gap;
	u64 gap_end;
	u64 switched;
	u64 ticked;
	u64 ticked_before;
	u64 repeats;
	u64 repeated;
	u64 repeated_function;
	u64 repeated_now;
	u64 pid;
	u64 migration;
	bool is_realtime;
	bool was_stopped;
	char comm[17];
	u64 cancelled;
	u64 fine;
	bool fine_is_armed;
	enum history_deferred runs;
	u64 object;
	u64 began;
	s64 runner;
	struct history_work works[HISTORY_WORKS];
	u32 nr_works;
};

/**
 * struct history_task - a task that is asked for
 * @seen: its first task switch in the trace; 0: none
 * @out: when it was switched out last; 0: the trace does not have it
 * @was_preempted: it could have run on; false: it went to sleep, or that is not known
 * @woken: when it was woken after that, or ran; 0: never
 */
struct history_task {
	u64 pid;
	u64 seen;
	u64 out;
	bool was_preempted;
	u64 woken;
	u32 out_cpu;
};

/*
 * An event that has a value that is asked for, in @field. @site: its call_site; @object: its timer or work item; 0: none. @woken: of one
 * by which that began to run, the first task that it woke; "": none.
 */
struct history_use {
	u64 time;
	u64 raw;
	u32 cpu;
	s64 pid;
	u64 site;
	u64 object;
	u64 woken_pid;
	char woken[17];
	char comm[17];
	char event[80];
	char field[40];
};

/**
 * struct history_value - a value that is asked for, and who used it
 * @nr: events with it
 * @last: the last of them, the newest first; as many as there are, up to HISTORY_USES
 */
struct history_value {
	u64 value;
	u64 nr;
	struct history_use last[HISTORY_USES];
};

/* Who freed @object; 0: none */
struct history_freeing {
	u64 object;
	u64 time;
	u64 raw;
	u32 cpu;
	s64 pid;
	char comm[17];
};

/* Who took @object, of @size bytes, and has not freed it; 0: none */
struct history_taking {
	u64 object;
	u64 size;
	u64 site;
	u64 time;
	u64 raw;
	s64 pid;
	char comm[17];
};

/**
 * struct history_misfree - kfree() was given an address within an object
 * @nr: how often; 0: never
 * @freed, @site: the first time
 * @taken: the object
 */
struct history_misfree {
	u32 nr;
	struct history_freeing freed;
	u64 site;
	struct history_taking taken;
};

/* A module that came or went within the trace. */
struct history_module {
	u64 time;
	bool is_gone;
	char name[64];
};

/* What history_read() takes of an event, by its name. */
enum history_kind {
	HISTORY_OTHER,
	HISTORY_SWITCH,
	HISTORY_WAKEUP,
	HISTORY_LOAD,
	HISTORY_UNLOAD,
	HISTORY_ALLOCATION,
	HISTORY_FREE,
	HISTORY_OBJECT,
	HISTORY_TIMER_START,
	HISTORY_TIMER_CANCEL,
	HISTORY_TIMER_BEGIN,
	HISTORY_TIMER_END,
	HISTORY_FINE_START,
	HISTORY_FINE_CANCEL,
	HISTORY_FINE_BEGIN,
	HISTORY_WORK_QUEUE,
	HISTORY_WORK_BEGIN,
	HISTORY_WORK_END,
};

/* The kind of the events of @id, and what they say of @deferred; @formats is NULL: not asked yet. */
struct history_known_kind {
	const struct formats *formats;
	u32 id;
	enum history_kind kind;
	const struct deferred_event *deferred;
};

/**
 * struct history - history_ask_*() fills in what is wanted, history_read() the rest
 * @cpus: nr_cpus of them
 * @origins: HISTORY_ORIGINS places, each for the last object whose address leads to it
 * @deferred: all that they are of; @runners: all tasks
 * @fine: HISTORY_FINE places of the same kind, of timers of high resolution
 * @taken: HISTORY_FREED places, each for the last object that was taken by kmalloc(), leads to it and was not freed
 * @misfree: of an object that is such a one
 * @kinds: each for the last id that leads to it
 * @freed: HISTORY_FREED places, each for the last object that was freed and leads to it
 * @has_frees, @has_allocations: kmem:kfree and kmem:kmalloc are recorded
 * @first, @second: the last two times that one object was freed without being allocated between
 * @has_switches: the trace has task switches at all; @has_timer_ends, @has_work_ends: and when
 *	timers and work items came to their ends
 */
struct history {
	struct history_cpu *cpus;
	u32 nr_cpus;
	struct history_origin *origins;
	struct deferred_table deferred;
	struct runners runners;
	struct history_fine *fine;
	struct history_freeing *freed;
	struct history_taking *taken;
	struct history_misfree misfree;
	struct history_freeing first;
	struct history_freeing second;
	struct history_task tasks[HISTORY_TASKS];
	u32 nr_tasks;
	struct history_value values[HISTORY_VALUES];
	u32 nr_values;
	struct history_module modules[HISTORY_MODULES];
	u32 nr_modules;
	struct history_known_kind kinds[HISTORY_KINDS];
	bool has_switches;
	bool has_frees;
	bool has_allocations;
	bool has_timer_ends;
	bool has_work_ends;
	u64 nr_events;
};

void history_ask_task(struct history *history, u64 pid);
void history_ask_value(struct history *history, u64 value);

/**
 * history_read() - walk along the timeline
 * @history: for history_free(), also on failure
 * @pm: after pm_scan()
 */
int history_read(struct history *history, struct postmortem *pm, struct err *err);

/* NULL: it was not asked for, or the trace does not have it. */
const struct history_task *history_task(const struct history *history, u64 pid);

/* NULL: it was not asked for, or no event has it. */
const struct history_value *history_value(const struct history *history, u64 value);

/* NULL: the trace has no event of it. */
const struct history_cpu *history_cpu(const struct history *history, u32 cpu);

/* Is the first that the trace has of @module that it was loaded, after @time? */
bool history_came_after(const struct history *history, const char *module, u64 time);

/* Who armed or queued @object last; NULL: the trace does not have it. */
const struct history_origin *history_origin(const struct history *history, u64 object);

/* The same of a timer of high resolution. */
const struct history_fine *history_fine(const struct history *history, u64 timer);

void history_free(struct history *history);

#endif
