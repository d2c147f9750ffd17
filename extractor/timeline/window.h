/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which part of a timeline is wanted. */
#ifndef EPITAPH_TIMELINE_WINDOW_H
#define EPITAPH_TIMELINE_WINDOW_H

#include "timeline.h"

/* Without an option: the last seconds, if that is a readable number of events. */
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
 * struct window - as the command line has it, and what follows from it
 * @ns: for WINDOW_LAST_NS
 * @events: for WINDOW_LAST_EVENTS
 * @cpu: -1: any; so with @pid
 * @comm: a glob; NULL: any; so with @event and @channel
 * @damaged: also events of damaged sub-buffers
 * @from: CLOCK_MONOTONIC from which events are shown; window_choose() sets it, and what follows
 * @skip: matching events from there on that are not
 * @end: the crash, or the end in order, that "the last N" count back from; ~0:
 *	they count from the last event
 * @after: matching events behind @end that are shown, the first of them
 * @hidden: and how many are not
 * @shown: how many are in all
 * @all: events of the account, for progress()
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

	u64 from;
	u64 skip;
	u64 end;
	u64 after;
	u64 hidden;
	u64 shown;
	u64 all;
};

#define WINDOW_INIT { .cpu = -1, .pid = -1 }

/* Before @pm is scanned: who asks for a channel by name wants all that a copy holds. */
void window_prepare(const struct window *window, struct postmortem *pm);

/* Turns "the last N" into a time and a number to skip.  @pm is scanned. */
int window_choose(struct window *window, struct postmortem *pm, struct err *err);

/**
 * struct window_walk - a walk along the timeline, from window.from on
 * @skip, @after: how many still
 * @done: how many were looked at
 */
struct window_walk {
	const struct window *window;
	u64 skip;
	u64 after;
	u64 done;
};

enum window_step {
	WINDOW_SHOW,
	WINDOW_PASS,
	WINDOW_STOP,		/* nothing that comes is shown */
};

struct window_walk window_walk(const struct window *window);

/* What to do with the next entry of the timeline. */
enum window_step window_step(struct window_walk *walk, const struct item *item);

/* Is it one that was asked for?  Not of time; formats are looked into for names. */
bool window_wants(const struct window *window, const struct item *item);

#endif
