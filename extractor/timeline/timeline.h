/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of all streams, one after the other, in the order of time. */
#ifndef EPITAPH_TIMELINE_TIMELINE_H
#define EPITAPH_TIMELINE_TIMELINE_H

#include "postmortem.h"

struct timeline;

/**
 * timeline_open() - begin at what holds @from, CLOCK_MONOTONIC
 * @pm: scanned, and must outlive it; one timeline of it at a time
 * @with_damaged: also give the events of damaged sub-buffers
 *
 * What comes first may be older than @from: it says who runs where.
 */
int timeline_open(struct timeline **ret, struct postmortem *pm, u64 from,
		  bool with_damaged, struct err *err);

/* The next one, the timeline's until the next call; NULL: that was all. */
const struct item *timeline_next(struct timeline *timeline);

/* Names of tasks: what the event says of others, and then its own, if it has none. */
void timeline_name(struct task_names *tasks, struct item *item);

/* What timeline_next() gives for one of @pm->aux_events, with the names that are known now. */
void timeline_aux(struct item *item, const struct postmortem *pm, const struct aux_event *aux);

/* NULL is fine. */
void timeline_close(struct timeline *timeline);

#endif
