/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: timeline - all streams and aux events of a postmortem, merged in the order of time
 *
 * Events of one time have the order of the streams; an aux event comes before them. Where the
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

/* The next item, valid until the next call; NULL: there are no more. */
const struct item *timeline_next(struct timeline *timeline);

/* Learn the task names that the event has, and set @item->comm if it is NULL. */
void timeline_name(struct task_names *tasks, struct item *item);

/* What timeline_next() gives for one of @pm->aux_events, with the names that are known now. */
void timeline_aux(struct item *item, const struct postmortem *pm, const struct aux_event *aux);

/* @timeline may be NULL. */
void timeline_close(struct timeline *timeline);

#endif
