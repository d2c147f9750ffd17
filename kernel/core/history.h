/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The history of a ring that has moved, newest first, behind what its writers use: docs/sizes.md.
 * Builds in user space as well.
 */
#ifndef EPITAPH_CORE_HISTORY_H
#define EPITAPH_CORE_HISTORY_H

#include "subbuf_copy.h"

/**
 * struct epitaph_history - a copy under way
 * @old: the ring as it was; no writer comes
 * @ring: what moved
 * @at: the sub-buffer that is put next
 * @off: of the one that was put last
 * @end: from here on writers do not come
 * @nr: sub-buffers that were put
 */
struct epitaph_history {
	const struct epitaph_ring *old;
	const struct epitaph_ring *ring;
	struct epitaph_subcopy at;
	u32 off;
	u32 end;
	u32 nr;
};

/**
 * epitaph_history_start() - a copy
 * @history: filled in
 * @old: of epitaph_ring_move()
 * @ring: what moved
 * @room: for one sub-buffer of either ring, aligned to 8, zeroed
 *
 * Return: false: there is nothing that can be kept.
 */
bool epitaph_history_start(struct epitaph_history *history, const struct epitaph_ring *old,
			   const struct epitaph_ring *ring, void *room);

/**
 * epitaph_history_narrow() - take some sub-buffers from the writers
 * @ring: that of @history
 *
 * The caller gives them back by @ring->size, once history is in them.
 *
 * Context: the ring's CPU with interrupts off, or no writer can come.
 * Return: false: the writers need what is left.
 */
bool epitaph_history_narrow(struct epitaph_history *history, struct epitaph_ring *ring);

/* Is there room for a sub-buffer, without epitaph_history_narrow()? */
static inline bool epitaph_history_has_room(const struct epitaph_history *history)
{
	return history->off > history->end;
}

/* Puts one sub-buffer, where there is room.  Context: process.  Return: false: it was the last one. */
bool epitaph_history_step(struct epitaph_history *history);

#endif /* EPITAPH_CORE_HISTORY_H */
