/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: window - which part of a timeline is shown
 *
 * The command line fills in the first half of struct window, window_choose() the second half.
 * Then a walk shows what window_next() gives:
 *
 *	struct window_walk walk = window_walk(&window);
 *
 *	while ((item = window_next(&walk, tl)))
 *		...
 */
#ifndef EPITAPH_TIMELINE_WINDOW_H
#define EPITAPH_TIMELINE_WINDOW_H

#include "os/turns.h"
#include "timeline.h"

/* The default: the last seconds; WINDOW_EVENTS if that is fewer, or more than WINDOW_MANY. */
#define WINDOW_NS	5000000000ULL
#define WINDOW_EVENTS	200
#define WINDOW_MANY	1000

enum window_kind {
	WINDOW_DEFAULT,
	WINDOW_LAST_NS,
	WINDOW_LAST_EVENTS,
	WINDOW_ALL,
};

/**
 * struct window - options of the command line, and what follows from them
 * @ns: for WINDOW_LAST_NS
 * @events: for WINDOW_LAST_EVENTS
 * @cpu: -1: any
 * @pid: -1: any
 * @comm: a glob; NULL: any
 * @event: a glob; NULL: any
 * @channel: a glob; NULL: any
 * @damaged: also show events of damaged sub-buffers
 * @turns: of the processes that print; NULL: one does
 * @from: CLOCK_MONOTONIC from which events are shown; window_choose() sets it and all that follows
 * @skip: matching events from @from on that are not shown
 * @end: "the last N" count back from here, from the crash or the orderly end; ~0: they count back
 *	from the last event
 * @after: matching events after @end that are shown, the oldest of them
 * @hidden: matching events after @end that are not shown
 * @shown: number of events shown
 * @per_program: of each program's ring so many are shown beside those that count; 0: they count too
 * @of_programs: those, not counted in @shown
 * @left_out: older ones of programs that would be in the window as well
 * @all: events of the postmortem, for progress()
 */
struct window {
	enum window_kind kind;
	u64 ns;
	u64 events;
	s64 cpu;
	s64 pid;
	const char *comm;
	const char *event;
	const char *channel;
	bool damaged;
	struct turns *turns;

	u64 from;
	u64 skip;
	u64 end;
	u64 after;
	u64 hidden;
	u64 shown;
	u64 per_program;
	u64 of_programs;
	u64 left_out;
	u64 all;
};

#define WINDOW_INIT { .cpu = -1, .pid = -1 }

/* Call it before pm_scan(): a channel that is asked for by name is read whole, even a copy. */
void window_prepare(const struct window *window, struct postmortem *pm);

/*
 * The same for a reader that says in its output how much of the rings was not read: of the last
 * seconds alone, older events of large rings are left unread, as recording.total.not_read says.
 */
void window_prepare_tail(const struct window *window, struct postmortem *pm);

/* Has the only channel that is asked for a clock of its own, and so no place among others? @pm is scanned. */
bool window_is_isolated(const struct window *window, const struct postmortem *pm);

/* Turn "the last N" into a time and a number of events to skip. @pm is scanned. */
int window_choose(struct window *window, struct postmortem *pm, struct err *err);

/**
 * struct window_walk - a walk along the timeline, from window.from on
 * @skip: matching events that are still to be skipped
 * @after: events after the end that may still be shown
 * @done: items seen
 * @loss: what was lost before an event that does not match
 */
struct window_walk {
	const struct window *window;
	u64 skip;
	u64 after;
	u64 done;
	struct item loss;
};

struct window_walk window_walk(const struct window *window);

/*
 * The next item of the timeline that is shown; NULL: there are no more. Options choose among
 * events; the crash is always shown, and so are the marks behind the last event but one that is not.
 * What was lost before an event that does not match might have matched: it is shown without the event.
 */
const struct item *window_next(struct window_walk *walk, struct timeline *timeline);

/**
 * window_turns() - the turns by which what is shown is to be printed
 *
 * Return: the same in all processes; NULL: this one is alone, few events are shown, or a later part
 * of the output depends on what is printed here.
 */
struct turns *window_turns(const struct window *window, const struct postmortem *pm);

/* Does the item match the options, time aside? It is no mark and not the crash. */
bool window_wants(const struct window *window, const struct item *item);

/* What was lost before @item, which the options do not match; false: nothing, or they do not match that either. */
bool window_loss(const struct window *window, const struct item *item, struct item *loss);

#endif
