/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All timers, timers of high resolution and work items that the trace has, and who did what with each. */
#ifndef EPITAPH_JUDGE_DEFERRED_H
#define EPITAPH_JUDGE_DEFERRED_H

#include "event/stream.h"

enum deferred_kind { DEFERRED_TIMER, DEFERRED_FINE, DEFERRED_WORK };

/* Who did something; a time of 0: it was not done. */
struct deferred_act {
	u64 time;
	u64 raw;
	u32 cpu;
	s64 pid;
	char comm[17];
};

/**
 * struct deferred - one of them
 * @object: its address; 0: none
 * @function: that it runs; 0: not known
 * @nr_starts: how often it was started or queued; @started: the last of them
 * @nr_runs: how often it began to run, or ran; @began, @ended: the last of them
 * @nr_cancels: how often a timer was taken out, and neither ran then nor was started anew right behind that; @cancelled: the last of them
 * @has_many_cancellers: different tasks did that
 * @longest_gap: between two of its runs, ns
 * @asker: of a work item the timer whose function queued it; 0: it was not one that did
 * @woken: the task that a timer's function woke last, @woken_pid, at @woke; "": none
 * @is_pending: it was started, and has neither run nor was cancelled since
 * @is_running: it began to run, and did not end
 * @is_taken: it was taken out, and it is not known yet what for
 */
struct deferred {
	u64 object;
	u64 function;
	enum deferred_kind kind;
	u32 nr_starts;
	u32 nr_runs;
	u32 nr_cancels;
	u64 longest_gap;
	u64 asker;
	u64 woke;
	u64 woken_pid;
	char woken[17];
	bool is_pending;
	bool is_running;
	bool is_taken;
	bool has_many_cancellers;
	struct deferred_act started;
	struct deferred_act began;
	struct deferred_act ended;
	struct deferred_act cancelled;
};

#define DEFERRED_PLACES	4096
#define DEFERRED_BY_TIMER	(-2)	/* for a pid: a timer's function did it, and not the task that it came into */

/* What a CPU took out last, of timers and of those of high resolution, while it is not known what for. */
struct deferred_taking {
	u64 object;
	struct deferred_act act;
};

/**
 * struct deferred_table - @places of them are in use where @object is not 0; @takings: two for each CPU; @runs: the timer that runs on each
 *	CPU, one of either kind; 0: none
 * @nr_dropped: that found no place
 * @has_ends: the trace has ends of that kind at all; @has_takings: and of what is taken out, as each timer is that runs
 */
struct deferred_table {
	struct deferred *places;
	struct deferred_taking *takings;
	u64 *runs;
	u32 nr_cpus;
	u32 nr;
	u32 nr_dropped;
	bool has_ends[3];
	bool has_takings[3];
};

/* False: there is no memory. */
bool deferred_open(struct deferred_table *table, u32 nr_cpus);

/* What the events called @name, "system:event", say of timers and work items; NULL: nothing. */
const struct deferred_event *deferred_event(const char *name);

/* An event; @event is deferred_event() of its name. */
void deferred_see(struct deferred_table *table, const struct item *item, const struct deferred_event *event);

/* On the CPU of @item the task @pid is woken. */
void deferred_see_waking(struct deferred_table *table, const struct item *item, u64 pid, const char *comm);

/* Who does what @item says: its task, or DEFERRED_BY_TIMER where its CPU runs a timer's function. */
s64 deferred_doer(const struct deferred_table *table, const struct item *item);

/* There are no more events. */
void deferred_end(struct deferred_table *table);

/* NULL: the trace has nothing of it. */
const struct deferred *deferred_find(const struct deferred_table *table, u64 object);

void deferred_close(struct deferred_table *table);

#endif
