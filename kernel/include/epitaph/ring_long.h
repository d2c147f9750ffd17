/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * As ring_fast.h, for an event whose length is in its header: of two words, soon after the one before
 * it, in a sub-buffer that has room.
 */
#ifndef _EPITAPH_RING_LONG_H
#define _EPITAPH_RING_LONG_H

#include <epitaph/ring_fast.h>

/**
 * epitaph_ring_claim_long() - epitaph_ring_reserve() of an event whose length varies
 * @ring: of this CPU
 * @id: of the event
 * @payload: in words; any number, as a full ring and one that takes no such event have no room
 *
 * Context: as epitaph_ring_reserve().
 * Return: the claim; its w is NULL if the event was dropped.  The payload is where
 *	epitaph_claim_payload() says.
 */
static __always_inline struct epitaph_claim
epitaph_ring_claim_long(struct epitaph_ring *ring, u32 id, u32 payload)
{
	struct epitaph_claim claim = { .words = 2 + payload };
	u32 level = READ_ONCE(ring->nest);
	u64 head, time;

	if (unlikely(level >= EPITAPH_LEVELS))
		return epitaph_ring_too_deep(ring);
	ring_enter(ring, level);
	if (unlikely(!epitaph_clock_is_near()))
		return epitaph_ring_claim_slowly(ring, id, payload, 2, level);
	head = ring_look(ring, level);
	time = epitaph_clock_near() >> ring->shift;
	if (unlikely(ring_is_far(ring, time) || !ring_has_room(ring, head, claim.words) ||
		     !ring_take(ring, head, claim.words)))
		return epitaph_ring_claim_slowly(ring, id, payload, 2, level);
	claim.w = ring_open(ring, head, claim.words, time);
	ring_saw(ring, time);
	claim.w[1] = cpu_to_le32(id | claim.words << 16);
	claim.word = done_word(EPITAPH_ID_LONG, level, time);
	return claim;
}

#endif /* _EPITAPH_RING_LONG_H */
