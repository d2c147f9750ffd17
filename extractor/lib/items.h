/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A walk of the engine: items of a timeline, with marks and the crash among them, into batches. */
#ifndef EPITAPH_LIB_ITEMS_H
#define EPITAPH_LIB_ITEMS_H

#include "timeline/timeline.h"
#include "wire.h"

struct items;

/**
 * items_new() - begin
 * @ret: for items_free()
 * @pm: scanned; must outlive it
 * @kinds: bits of enum epitaph_kind; without events and losses, no timeline is opened, and so
 *	@pm may have another walk
 * @flags: bits of enum epitaph_walk_flag
 * @from: CLOCK_MONOTONIC
 */
int items_new(struct items **ret, struct postmortem *pm, u32 kinds, u32 flags, u64 from,
	      struct err *err);

/* NULL is fine. */
void items_free(struct items *items);

/* Does it need the pm's streams for itself? */
bool items_need_timeline(u32 kinds);

/* The next item of the timeline, of any kind, valid until the next call; NULL: the end. */
const struct item *items_next(struct items *items);

/* Appends an item, behind its definition if that is new, unless it is of another kind. */
void items_put(struct items *items, struct pack *batch, const struct item *entry);

/* A batch; nothing is added at the end. */
int items_batch(struct items *items, struct pack *batch, struct err *err);

#endif
