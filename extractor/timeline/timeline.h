/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: timeline - everything that happened, merged in the order of time
 *
 * Items are the events of all streams, the aux events, the marks of the recorder and the crash.
 * At one time marks come first, then the crash, aux events and events in the order of the streams.
 * Where the
 * clocks of two CPUs are not exact enough to say which event was first, both are marked
 * ITEM_UNCERTAIN.
 */
#ifndef EPITAPH_TIMELINE_TIMELINE_H
#define EPITAPH_TIMELINE_TIMELINE_H

#include "postmortem.h"

struct timeline;

/**
 * timeline_open() - begin at @from, CLOCK_MONOTONIC
 * @ret: for timeline_close(); set only on success
 * @pm: scanned; it must outlive the timeline, and has one timeline at a time
 * @with_damaged: also give the events of damaged sub-buffers
 *
 * The first items may be older than @from: from them follow which tasks run on the CPUs.
 */
int timeline_open(struct timeline **ret, struct postmortem *pm, u64 from,
		  bool with_damaged, struct err *err);

/*
 * The same without streams: aux events, marks and the crash. Any number of them may be open beside
 * a timeline of the same postmortem.
 */
int timeline_open_aux(struct timeline **ret, struct postmortem *pm, u64 from, struct err *err);

/* The next item, valid until the next call; NULL: there are no more. */
const struct item *timeline_next(struct timeline *timeline);

/* Give no event and no aux event from now on: the rest is marks and the crash. */
void timeline_drop_events(struct timeline *timeline);

/* Learn the task names that the event has, and set @item->comm if it is NULL. */
void timeline_name(struct task_names *tasks, struct item *item);

/* Of a CPU, the event given that may have been the latest. */
struct last_event {
	u32 cpu;
	u64 time;
	u64 skew;
	bool any;
};

/*
 * Note that @now is given; @last[0] is of the CPU with the latest, @last[1] of another one. Events come in
 * the order of time: the last one was the latest, unless one before had a larger skew.
 */
void timeline_note_last(struct last_event last[2], const struct item *now);

/* The item of a mark of the recorder. */
struct item timeline_mark(const struct recording *recording, const struct recording_mark *mark);

/* @timeline may be NULL. */
void timeline_close(struct timeline *timeline);

#endif
