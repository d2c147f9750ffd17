/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The fast path through the ring: an event soon after the one before it, in a sub-buffer that
 * has room.  It is inline because it is what an event costs; everything else is in ring.c, and
 * so is what this relies on.  What does not fit gives back the level that it took and begins
 * again in ring.c: so the fast path needs no register that survives a call.
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

/*
 * The longest event of the fast path: no sub-buffer is larger than 16 KiB.  Much more would wrap
 * around in ring_is_closed().
 */
#define EPITAPH_FAST_WORDS	4096

/*
 * EPITAPH_TIME_RANGE in ticks.  Two times whose difference is less may be one unit further apart
 * than the difference says, so it is one unit shorter.
 */
static __always_inline u64 ring_range(u32 shift)
{
	return (u64)(EPITAPH_TIME_RANGE - 1) << shift;
}

/* At least the last word of a sub-buffer stays zero. */
static __always_inline bool ring_has_room(const struct epitaph_ring *ring, u64 head, u32 words)
{
	return ((u32)head & (ring->sub_size - 1)) + words * 4 < ring->sub_size;
}

/* From the last event, whose time may have been seen later than this one's. */
static __always_inline bool ring_is_far(const struct epitaph_ring *ring, u64 time)
{
	return time - data_race(ring->last) >= ring->range;
}

/*
 * No room, or no way to say so: an event up to @next would reach the end of the head's sub-buffer.
 * A head that has moved since @head was read makes reserve:D fail, so @end may be another's.
 */
static __always_inline bool ring_is_closed(const struct epitaph_ring *ring, u64 next)
{
	return (u32)next >= (u32)data_race(ring->end);
}

static __always_inline u32 claim_word(u32 words, u64 time)
{
	u32 coarse = (time >> EPITAPH_CLAIM_TIME_SHIFT) &
		     ((1U << EPITAPH_CLAIM_TIME_BITS) - 1);

	return words << EPITAPH_CLAIM_WORDS_SHIFT | coarse;
}

/* @id: as it stands in a first word. */
static __always_inline u32 done_word(u32 id, u32 level, u64 time)
{
	return id | level << EPITAPH_LEVEL_SHIFT | (time & EPITAPH_TIME_MASK);
}

/*
 * The clock is read after this.  An interrupt may write between reserve:B and
 * reserve:D, and then reserve:D fails.  If reserve:D succeeds, no interrupt wrote
 * in between, and so time and place agree.
 */
static __always_inline u64 ring_look(struct epitaph_ring *ring, unsigned long level)
{
	u64 head = READ_ONCE(ring->head);				/* reserve:B */

	WRITE_ONCE(plat_unbounded(ring->holds)[level], (u32)head);		/* reserve:C */
	/* order:hold is local: a nested writer looks at holds */
	barrier();
	crash_point("reserve:C");
	return head;
}

static __always_inline bool ring_take(struct epitaph_ring *ring, u64 head, u64 next)
{
	return likely(plat_try_cmpxchg_local(&ring->head, head, next));	/* reserve:D */
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

static __always_inline void ring_enter(struct epitaph_ring *ring, unsigned long level)
{
	WRITE_ONCE(ring->nest, level + 1);				/* reserve:A */
	/* order:enter is local: a nested writer has the next level */
	barrier();
	crash_point("reserve:A");
}

static __always_inline void ring_leave(struct epitaph_ring *ring, unsigned long level)
{
	/* order:leave is local: the next writer of this level adds to the sum */
	barrier();
	WRITE_ONCE(ring->nest, level);					/* commit:D */
	crash_point("commit:D");
}

/* Of @level, where the event that begins at @w is; sub-buffers are aligned to their size. */
static __always_inline __le64 *ring_sum(const struct epitaph_ring *ring, const __le32 *w,
					unsigned long level)
{
	struct epitaph_sub *sub = (struct epitaph_sub *)((uintptr_t)w & (uintptr_t)ring->sub_mask);
	__le64 *sum = &plat_unbounded(sub->sum)[level];

	plat_hide(sum);
	return sum;
}

/*
 * The sum of a level, with the event at @w, whose first word will be @word.  Where there is an
 * instruction for it, who is here knows that this CPU has it: epitaph_is_fast.
 */
static __always_inline u64 event_sum(u64 sum, u32 word, const __le32 *w, u32 words)
{
	u32 i;

	if (!EPITAPH_HAS_CRC32C)
		return epitaph_ring_sum(sum, word, w, words);
	sum = epitaph_crc32c_4(sum, word);
	if (__builtin_constant_p(words)) {
		plat_unroll
		for (i = 1; i + 1 < words; i += 2)
			sum = epitaph_crc32c_8(sum, plat_load64(w + i));
	} else {
		plat_no_unroll
		for (i = 1; i + 1 < words; i += 2)
			sum = epitaph_crc32c_8(sum, plat_load64(w + i));
	}
	return words & 1 ? sum : epitaph_crc32c_4(sum, plat_load32(w + words - 1));
}

/**
 * struct epitaph_fast - an event on the fast path, in registers
 * @w: its first word
 * @word: what commit puts there, without the id
 * @level: of its writer
 */
struct epitaph_fast {
	__le32		*w;
	u32		word;
	unsigned long	level;
};

/*
 * epitaph_fast_claim(), only in the sub-buffer with @seq; NULL: any.  If the head that is taken
 * lies in that sub-buffer, so does the claim.
 */
static __always_inline bool fast_claim_in(struct epitaph_ring *ring, struct epitaph_fast *fast,
					  u32 words, const u32 *seq)
{
	unsigned long level = READ_ONCE(ring->nest);
	u64 head, next, time, units;

	if (unlikely(level >= EPITAPH_LEVELS))
		return false;
	ring_enter(ring, level);
	head = ring_look(ring, level);
	next = head + words * 4;
	time = epitaph_clock_near();
	if (unlikely((seq && (u32)(head >> 32) != *seq) || ring_is_far(ring, time) ||
		     ring_is_closed(ring, next) || !ring_take(ring, head, next))) {
		ring_leave(ring, level);
		return false;
	}
	/* Masked, which costs nothing: CONFIG_UBSAN_SHIFT would call a function else. */
	units = time >> (ring->shift & 63);
	fast->w = ring_open(ring, head, words, units);
	ring_saw(ring, time);
	fast->word = done_word(0, level, units);
	fast->level = level;
	return true;
}

/**
 * epitaph_fast_claim() - claim room for one event, if that is easy
 * @ring: of this CPU; its clock is near
 * @fast: filled in
 * @words: of the event, its first word included, and its second one, if its size varies: that is
 *	for the caller to fill in, by epitaph_fast_long(); at most EPITAPH_FAST_WORDS
 *
 * Context: any, NMI included.  Preemption is off until epitaph_fast_commit().
 * Return: false: nothing has begun, and epitaph_ring_claim() knows why.
 */
static __always_inline bool epitaph_fast_claim(struct epitaph_ring *ring, struct epitaph_fast *fast,
					       u32 words)
{
	return fast_claim_in(ring, fast, words, NULL);
}

/* The second word of @fast: @id is not in the first one, nor are @words. */
static __always_inline void epitaph_fast_long(const struct epitaph_fast *fast, u32 id, u32 words)
{
	fast->w[1] = cpu_to_le32(id | words << 16);
}

/* The payload is there: @word says so. */
static __always_inline void ring_done(__le32 *w, u32 word)
{
	/*
	 * The payload before the word that says it is there: commit:B.
	 * order:payload pairs with order:later in extractor/region/subbuf.c
	 */
	smp_wmb();							/* commit:A */
	crash_point("commit:A");
	WRITE_ONCE(*w, cpu_to_le32(word));				/* commit:B */
	/*
	 * The word before the sum, so that at most one event per level lacks.
	 * order:word pairs with order:sums in kernel/core/subbuf_copy.c
	 * and with order:device in kernel/handout/device.c
	 */
	smp_wmb();
	crash_point("commit:B");
}

/* @value: of the events of @level, with the last one. */
static __always_inline void ring_summed(struct epitaph_ring *ring, __le64 *sum,
					unsigned long level, u64 value)
{
	/* Plain: writers of one level do not interrupt each other. */
	WRITE_ONCE(*sum, cpu_to_le64(value));				/* commit:C */
	crash_point("commit:C");
	ring_leave(ring, level);
}

/**
 * epitaph_fast_commit() - the event is complete
 * @ring: of this CPU
 * @fast: of epitaph_fast_claim()
 * @id: of the event, as it stands in a first word; EPITAPH_ID_LONG there, if its size varies
 * @words: as given to epitaph_fast_claim()
 *
 * Context: as epitaph_fast_claim(), on the same CPU.
 */
static __always_inline void epitaph_fast_commit(struct epitaph_ring *ring,
						const struct epitaph_fast *fast, u32 id,
						u32 words)
{
	__le64 *sum = ring_sum(ring, fast->w, fast->level);
	u32 word = fast->word | id;
	u64 value = event_sum(le64_to_cpu(*sum), word, fast->w, words);

	ring_done(fast->w, word);
	ring_summed(ring, sum, fast->level, value);
}

#endif /* _EPITAPH_RING_FAST_H */
