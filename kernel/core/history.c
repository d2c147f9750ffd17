// SPDX-License-Identifier: GPL-2.0-only
/*
 * A ring goes on at its beginning, and overwrites its oldest sub-buffer first.  So the newest of
 * the history is at the end of its memory, and the oldest where the writers come to.
 */
#include <linux/kernel.h>
#include <linux/string.h>
#include <epitaph/ring.h>
#include "history.h"

/* What is taken from the writers at once: so many, and no more bytes, but one in any case. */
#define BATCH		8
#define BATCH_BYTES	(32U << 10)

static u32 batch_size(u32 sub_size)
{
	u32 bytes = BATCH * sub_size < BATCH_BYTES ? BATCH * sub_size : BATCH_BYTES;

	return bytes < sub_size ? sub_size : bytes;
}

/*
 * No writer is, or is about to go, further than the sub-buffers that were used since the move: each
 * has a number.  Others may use EPITAPH_MIN_SUBS more while a batch is copied; if they used more,
 * they would turn around in front of it, and overwrite what is newer than the history.
 */
bool epitaph_history_narrow(struct epitaph_history *history, struct epitaph_ring *ring)
{
	u64 used = READ_ONCE(ring->seq) - history->old->seq + 1;
	u64 least = (used + EPITAPH_MIN_SUBS) * ring->sub_size;
	u32 most = batch_size(ring->sub_size);

	if (least >= history->off)
		return false;
	history->end = history->off - least > most ? history->off - most : least;
	WRITE_ONCE(ring->size, history->end);
	return true;
}

/*
 * An event ends before the last word of its sub-buffer.  All of them are closed: how far they are
 * used, the events cannot say, which may end in zeroes.
 */
static bool subbuf_fits(const struct epitaph_history *history)
{
	const struct epitaph_sub *sub = (const struct epitaph_sub *)history->at.data;
	u32 used = le32_to_cpu(sub->used), size = history->ring->sub_size;

	return size >= history->old->sub_size ||
	       (sub->used_not == cpu_to_le32(~used) && used <= size - sizeof(u32));
}

bool epitaph_history_start(struct epitaph_history *history, const struct epitaph_ring *old,
			   const struct epitaph_ring *ring, void *room)
{
	*history = (struct epitaph_history){
		.old = old, .ring = ring, .at.data = room, .off = ring->size, .end = ring->size,
	};
	return !epitaph_subcopy_newest(&history->at, old) && subbuf_fits(history);
}

bool epitaph_history_step(struct epitaph_history *history)
{
	const struct epitaph_ring *ring = history->ring;
	struct epitaph_subcopy *at = &history->at;
	u32 prev = at->prev;

	history->off -= ring->sub_size;
	epitaph_subcopy_seal(at, ring->sub_size, ring->salt ^ history->off, false);
	epitaph_ring_put(ring, history->off, at->data);
	history->nr++;
	return prev && !epitaph_subcopy_before(at, history->old, at) && subbuf_fits(history);
}
