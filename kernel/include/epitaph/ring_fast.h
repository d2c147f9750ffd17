/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The short way through the ring: an event of a fixed size, soon after the one
 * before it, in a sub-buffer that has room.  It is inline because it is what an
 * event costs; everything else is in ring.c, and so is what this relies on.
 */
#ifndef _EPITAPH_RING_FAST_H
#define _EPITAPH_RING_FAST_H

#include <epitaph/ring.h>

/*
 * Further apart than this, an event carries its full time.  The reader sees
 * 20 bits, and a sub-buffer's events never go back in time; of a torn event it
 * sees only the upper 11 of them, so the range is one such unit shorter.
 */
#define EPITAPH_TIME_RANGE	((1U << EPITAPH_TIME_BITS) - \
			 (1U << EPITAPH_CLAIM_TIME_SHIFT))
#define EPITAPH_TIME_MASK	((1U << EPITAPH_TIME_BITS) - 1)

static __always_inline u64 ring_time(const struct epitaph_ring *ring)
{
	return epitaph_clock() >> ring->shift;
}

/* At least the last word of a sub-buffer stays zero. */
static __always_inline bool ring_has_room(const struct epitaph_ring *ring, u64 head, u32 words)
{
	return ((u32)head & (ring->sub_size - 1)) + (u64)words * 4 < ring->sub_size;
}

/* From the last event, whose time may have been seen later than this one's. */
static __always_inline bool ring_is_far(const struct epitaph_ring *ring, u64 time)
{
	return time - READ_ONCE(ring->last) >= EPITAPH_TIME_RANGE;
}

static __always_inline u32 claim_word(u32 words, u64 time)
{
	u32 coarse = (time >> EPITAPH_CLAIM_TIME_SHIFT) &
		     ((1U << EPITAPH_CLAIM_TIME_BITS) - 1);

	return words << EPITAPH_CLAIM_WORDS_SHIFT | coarse;
}

static __always_inline u32 done_word(u32 id, u32 level, u64 time)
{
	return id << EPITAPH_ID_SHIFT | level << EPITAPH_LEVEL_SHIFT |
	       (time & EPITAPH_TIME_MASK);
}

/*
 * The clock is read after this.  An interrupt may write between reserve:B and
 * reserve:D, and then reserve:D fails.  If reserve:D succeeds, no interrupt wrote
 * in between, and so time and place agree.
 */
static __always_inline u64 ring_look(struct epitaph_ring *ring, u32 level)
{
	u64 head = READ_ONCE(ring->head);				/* reserve:B */

	WRITE_ONCE(ring->holds[level], (u32)head);			/* reserve:C */
	/* order:hold is local: a nested writer looks at holds */
	barrier();
	crash_point("reserve:C");
	return head;
}

static __always_inline bool ring_take(struct epitaph_ring *ring, u64 head, u32 words)
{
	return likely(cmpxchg_local(&ring->head, head,
				    head + words * 4) == head);		/* reserve:D */
}

static __always_inline __le32 *ring_open(struct epitaph_ring *ring, u64 head,
					  u32 words, u64 time)
{
	__le32 *w = (__le32 *)(ring->data + (u32)head);

	crash_point("reserve:D");
	WRITE_ONCE(w[0], cpu_to_le32(claim_word(words, time)));	/* reserve:E */
	/*
	 * No payload without its claim, also if the CPU is lost with stores that it has not shown.
	 * order:claim pairs with order:later in extractor/region/subbuf.c
	 */
	smp_wmb();
	crash_point("reserve:E");
	return w;
}

static __always_inline void ring_saw(struct epitaph_ring *ring, u64 time)
{
	WRITE_ONCE(ring->last, time);					/* reserve:F */
	crash_point("reserve:F");
}

static __always_inline void ring_enter(struct epitaph_ring *ring, u32 level)
{
	WRITE_ONCE(ring->nest, level + 1);				/* reserve:A */
	/* order:enter is local: a nested writer has the next level */
	barrier();
	crash_point("reserve:A");
}

/* The sum of a level, with the event at @w, whose first word will be @word. */
static __always_inline u64 event_sum(u64 sum, u32 word, const __le32 *w, u32 words)
{
	u32 i;

	if (unlikely(!plat_has_crc32()))
		return epitaph_ring_sum(sum, word, w, words);
	sum = epitaph_crc32c_4(sum, word);
	plat_unroll
	for (i = 1; i + 1 < words; i += 2)
		sum = epitaph_crc32c_8(sum, plat_load64(w + i));
	if (!(words & 1))
		sum = epitaph_crc32c_4(sum, READ_ONCE(w[words - 1]));
	return sum;
}

/**
 * epitaph_ring_claim_short() - epitaph_ring_reserve() of a short event
 * @ring: of this CPU
 * @id: at most EPITAPH_ID_SHORT_MAX, of an event of a fixed size
 * @payload: that size, in words; better a constant
 *
 * Context: as epitaph_ring_reserve().
 * Return: the claim; its w is NULL if the event was dropped.  Its words are
 *         more than @payload + 1 if it could not be short.
 */
static __always_inline struct epitaph_claim
epitaph_ring_claim_short(struct epitaph_ring *ring, u32 id, u32 payload)
{
	struct epitaph_claim claim = { .words = 1 + payload };
	u32 level = READ_ONCE(ring->nest);
	u64 head, time;

	if (unlikely(level >= EPITAPH_LEVELS))
		return epitaph_ring_too_deep(ring);
	ring_enter(ring, level);
	if (unlikely(!epitaph_clock_is_near()))
		return epitaph_ring_claim_slowly(ring, id, payload, 1, level);
	head = ring_look(ring, level);
	time = epitaph_clock_near() >> ring->shift;
	if (unlikely(ring_is_far(ring, time) || !ring_has_room(ring, head, claim.words) ||
		     !ring_take(ring, head, claim.words)))
		return epitaph_ring_claim_slowly(ring, id, payload, 1, level);
	claim.w = ring_open(ring, head, claim.words, time);
	ring_saw(ring, time);
	claim.word = done_word(id, level, time);
	return claim;
}

/* The payload of @claim, in @sub, is there; @h: the sum with it. */
static __always_inline void ring_finish(struct epitaph_ring *ring, struct epitaph_sub *sub, u32 level,
					struct epitaph_claim claim, u64 h, bool is_short)
{
	/*
	 * The payload before the word that says it is there: commit:B.
	 * order:payload pairs with order:later in extractor/region/subbuf.c
	 */
	smp_wmb();							/* commit:A */
	crash_point("commit:A");
	WRITE_ONCE(claim.w[0], cpu_to_le32(claim.word));		/* commit:B */
	/*
	 * The word before the sum, so that at most one event per level lacks.
	 * order:word pairs with order:sums in kernel/core/subbuf_copy.c
	 * and with order:device in kernel/handout/device.c
	 */
	smp_wmb();
	crash_point("commit:B");
	if (!is_short && claim.word >> EPITAPH_ID_SHIFT == EPITAPH_ID_LONG_TIME)
		ring_saw(ring, ring->pending[level]);
	/* Plain: writers of one level do not interrupt each other. */
	WRITE_ONCE(sub->sum[level], cpu_to_le64(h));			/* commit:C */
	/* order:leave is local: the next writer of this level adds to the sum */
	barrier();
	crash_point("commit:C");
	WRITE_ONCE(ring->nest, level);					/* commit:D */
	crash_point("commit:D");
}

/* The commit of epitaph_ring_commit(); cheap where the size is a constant. */
static __always_inline void ring_settle(struct epitaph_ring *ring,
					struct epitaph_claim claim, bool is_short)
{
	u32 level = claim.word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	u32 off = (uintptr_t)claim.w & (ring->sub_size - 1);
	struct epitaph_sub *sub = (void *)claim.w - off;
	u64 h = event_sum(le64_to_cpu(sub->sum[level]), claim.word, claim.w, claim.words);

	ring_finish(ring, sub, level, claim, h, is_short);
}

/**
 * epitaph_ring_settle_short() - epitaph_ring_commit() of a short event
 * @ring: of this CPU
 * @claim: of epitaph_ring_claim_short()
 * @payload: as given there
 *
 * Context: as epitaph_ring_commit().
 */
static __always_inline void epitaph_ring_settle_short(struct epitaph_ring *ring,
						      struct epitaph_claim claim,
						      u32 payload)
{
	if (unlikely(claim.words != 1 + payload)) {
		epitaph_ring_settle(ring, claim);
		return;
	}
	claim.words = 1 + payload;
	ring_settle(ring, claim, true);
}

#endif /* _EPITAPH_RING_FAST_H */
