// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lock-free core.  One file, in the kernel and in user space.
 *
 * Writers on one CPU nest like a stack: an interrupting writer ends before the interrupted
 * one goes on.  They never run side by side, so CPU-local atomics suffice.  What needs care
 * is the content of memory if the CPU stops between two stores:
 *
 *          reserve:D          reserve:E           commit:B          commit:C
 *    FREE -----------> TAKEN -----------> CLAIMED ---------> DONE ----------> SUMMED
 *
 *    stopped in   memory holds                 the extractor
 *    ----------   --------------------------   ------------------------------
 *    FREE         zeroes                       ends the sub-buffer here
 *    TAKEN        zeroes, perhaps others'      skips them: the next event
 *                 events behind them           begins with a word that is not 0
 *    CLAIMED      a word with the length,      counts one torn event and skips
 *                 part of the payload          its length
 *    DONE         all of the event; its sum    prints the event: the last one
 *                 lacks at its level           of a level may lack in the sum
 *    SUMMED       all of it                    prints the event
 *
 * All of it depends on one invariant: a sub-buffer is zero before the first event is claimed
 * in it.  switch:A to switch:F keep the invariant, and no writer recycles a sub-buffer that
 * an interrupted writer still holds.
 *
 * docs/ring.md has the argument, the pairs and the proofs.
 */
#include <epitaph/ring.h>
#include <epitaph/ring_fast.h>

static u32 sub_start(const struct epitaph_ring *ring, u32 off)
{
	return off & ~(ring->sub_size - 1);
}

static struct epitaph_sub *sub_at(const struct epitaph_ring *ring, u32 off)
{
	return (struct epitaph_sub *)(ring->data + sub_start(ring, off));
}

/* Only for the levels underneath: those above have ended. */
static bool sub_is_held(const struct epitaph_ring *ring, u32 level, u32 sub)
{
	u32 i;

	for (i = 0; i < level; i++) {
		if (sub_start(ring, READ_ONCE(ring->holds[i])) == sub)
			return true;
		if (READ_ONCE(ring->prepares[i]) == sub)
			return true;
	}
	return false;
}

/*
 * The one to recycle; EPITAPH_MIN_SUBS makes sure that there is one.  A ring that
 * stops recycles none: it has those that lie behind the head.
 */
static u32 sub_next(const struct epitaph_ring *ring, u32 level, u32 sub)
{
	do {
		sub += ring->sub_size;
		if (sub >= ring->size && ring->stops)
			return EPITAPH_NO_SUB;
		if (sub >= ring->size)
			sub = 0;
	} while (sub_is_held(ring, level, sub));
	return sub;
}

static u64 seq_next(struct epitaph_ring *ring)
{
	u64 seq;

	do {
		seq = READ_ONCE(ring->seq);
	} while (cmpxchg_local(&ring->seq, seq, seq + 1) != seq);
	return seq + 1;
}

/*
 * Makes the sub-buffer at @off empty and ready.  From switch:A to switch:B a
 * reader finds nothing here, neither the old content nor the new.
 */
static void sub_prepare(struct epitaph_ring *ring, u32 off, u64 seq, u32 prev,
			u64 time)
{
	struct epitaph_sub *sub = sub_at(ring, off);
	u64 check;
	u32 i;

	WRITE_ONCE(sub->check, 0);					/* switch:A */
	/*
	 * No check of the old content stands over the new.
	 * order:kill pairs with order:again in kernel/core/subbuf_copy.c
	 */
	smp_wmb();
	crash_point("switch:A");
	plat_zero(sub->sum, ring->sub_size - offsetof(struct epitaph_sub, sum));
	sub->used = 0;
	sub->used_not = 0;
	sub->reserved = 0;
	crash_point("switch:zeroed");
	sub->seq = cpu_to_le64(seq);
	sub->prev = cpu_to_le32(prev);
	sub->pid = cpu_to_le32(READ_ONCE(ring->pid));
	sub->time = cpu_to_le64(time >> ring->shift);
	sub->lost = cpu_to_le64(READ_ONCE(ring->lost));
	check = epitaph_check(ring->salt ^ off, sub, offsetof(struct epitaph_sub, check));
	for (i = 0; i < EPITAPH_LEVELS; i++)
		sub->sum[i] = cpu_to_le64((u32)check);
	crash_point("switch:filled");
	/*
	 * Zeroes, header and what the sums begin with, before the check that vouches for them.
	 * order:vouch pairs with order:vouched in kernel/core/subbuf_copy.c
	 */
	smp_wmb();
	WRITE_ONCE(sub->check, cpu_to_le64(check));			/* switch:B */
	crash_point("switch:B");
}

/* Nothing more can be claimed here: says how far it goes. */
static void sub_close(struct epitaph_ring *ring, u32 off)
{
	struct epitaph_sub *sub = sub_at(ring, off);
	u32 used = off - sub_start(ring, off);

	WRITE_ONCE(sub->used, cpu_to_le32(used));			/* switch:D */
	crash_point("switch:D");
	/*
	 * The complement second: alone it is taken for damage.
	 * order:used pairs with order:later in extractor/region/subbuf.c
	 */
	smp_wmb();
	WRITE_ONCE(sub->used_not, cpu_to_le32(~used));			/* switch:E */
	crash_point("switch:E");
}

/*
 * From end:A on, the fast path is closed.  A nested writer that goes on to another sub-buffer
 * opens it there, and then end:B finds it open.
 */
static void ring_open_fast(struct epitaph_ring *ring)
{
	u32 start = sub_start(ring, (u32)READ_ONCE(ring->head));

	crash_point("end:read");
	cmpxchg_local(&ring->end, 0, start + ring->sub_size);		/* end:B */
	crash_point("end:B");
}

/*
 * Goes on to the next sub-buffer.  A nested writer that interrupts this needs a sub-buffer
 * too, and takes another one: @prepares says which one is taken.  The nested writer has then
 * moved the head, switch:C fails, and the sub-buffer prepared here stays behind.  Its header
 * says that it is empty, until the ring reaches it again.
 */
static void ring_move(struct epitaph_ring *ring, u64 head, u32 new, u64 seq)
{
	u64 next = seq << 32 | (new + sizeof(struct epitaph_sub));
	u64 time = epitaph_clock();

	sub_prepare(ring, new, seq, head >> 32, time);
	WRITE_ONCE(ring->end, 0);					/* end:A */
	/* order:end is local: a nested writer finds the fast path closed before the head moves */
	barrier();
	crash_point("end:A");
	if (cmpxchg_local(&ring->head, head, next) == head) {		/* switch:C */
		crash_point("switch:C");
		WRITE_ONCE(ring->last, time);
		sub_close(ring, (u32)head);
	}
	ring_open_fast(ring);
}

/*
 * Nothing is claimed any more, however small: an event after a loss would look as if no event
 * were missing.  So the head moves first, and a nested writer finds no room either.
 */
static void ring_end(struct epitaph_ring *ring)
{
	u32 last = ring->sub_size - 1;		/* where no event ends */
	bool is_first;
	u64 head;

	do {
		head = READ_ONCE(ring->head);
		is_first = (head & last) != last;
	} while (cmpxchg_local(&ring->head, head, head | last) != head);	/* stop:A */
	crash_point("stop:A");
	WRITE_ONCE(ring->full, true);					/* stop:B */
	crash_point("stop:B");
	if (is_first)
		sub_close(ring, (u32)head);
}

static noinline void ring_switch(struct epitaph_ring *ring, u32 level, u64 head)
{
	u32 new = sub_next(ring, level, sub_start(ring, (u32)head));
	u64 seq;

	if (new == EPITAPH_NO_SUB) {
		ring_end(ring);
		return;
	}
	WRITE_ONCE(ring->prepares[level], new);
	/* order:prepare is local: a nested writer looks at prepares */
	barrier();
	crash_point("switch:claim");
	seq = seq_next(ring);
	/*
	 * Until @prepares named it, @new was free for every writer: a nested writer since
	 * reserve:B may have moved the head right into it.
	 */
	if (READ_ONCE(ring->head) == head)
		ring_move(ring, head, new, seq);
	/* order:unprepare is local: a nested writer may take it from then on */
	barrier();
	WRITE_ONCE(ring->prepares[level], EPITAPH_NO_SUB);		/* switch:F */
	crash_point("switch:F");
}

static void count(__le64 *counter)
{
	__le64 n = cpu_to_le64(le64_to_cpu(READ_ONCE(counter[0])) + 1);

	WRITE_ONCE(counter[0], n);
	crash_point("count:A");						/* count:A */
	/* A nested writer that counts in between leaves the pair consistent; so does this. */
	do {
		n = READ_ONCE(counter[0]);
		crash_point("count:B");					/* count:B */
		WRITE_ONCE(counter[1], ~n);
		/* order:count is local: a nested writer may have counted */
		barrier();
	} while (READ_ONCE(counter[0]) != n);
}

/*
 * Nested writers may count here too.  A count that they add between the load and the store
 * is lost, so readers take the number for a lower bound.
 */
static void ring_drop(struct epitaph_ring *ring, __le64 *counter)
{
	WRITE_ONCE(ring->lost, READ_ONCE(ring->lost) + 1);
	count(counter);
}

u32 epitaph_ring_max_payload(const struct epitaph_ring *ring)
{
	return ring->sub_size - sizeof(struct epitaph_sub) - 4 * sizeof(__le32);
}

/* The id as it stands in the first word; the others behind it. */
static u32 write_long(__le32 *w, u32 before, u32 id, u32 words, u64 time)
{
	w[1] = cpu_to_le32(id | words << 16);
	if (before > 2)
		w[2] = cpu_to_le32((u32)(time >> EPITAPH_TIME_BITS));
	return before - 1;	/* EPITAPH_ID_LONG, EPITAPH_ID_LONG_TIME */
}

struct epitaph_claim epitaph_ring_too_deep(struct epitaph_ring *ring)
{
	ring_drop(ring, &ring->counters->too_deep);
	return (struct epitaph_claim){ };
}

u64 epitaph_ring_sum(u64 sum, u32 word, const __le32 *w, u32 words)
{
	__le32 first = cpu_to_le32(word);

	sum = epitaph_crc32c(plat_has_crc32(), sum, &first, sizeof(first));
	return epitaph_crc32c(plat_has_crc32(), sum, w + 1, (words - 1) * sizeof(*w));
}

struct epitaph_claim epitaph_ring_claim(struct epitaph_ring *ring, u32 id,
					u32 payload, bool varies)
{
	u32 least = varies || id > EPITAPH_ID_SHORT_MAX ? 2 : 1;
	u32 before, level = READ_ONCE(ring->nest);
	struct epitaph_claim claim = { };
	u64 head, time;

	if (unlikely(level >= EPITAPH_LEVELS))
		return epitaph_ring_too_deep(ring);
	ring_enter(ring, level);
	if (payload > epitaph_ring_max_payload(ring) / 4) {
		ring_drop(ring, &ring->counters->too_large);
		ring_leave(ring, level);
		return claim;
	}
	for (;;) {
		if (READ_ONCE(ring->full)) {
			ring_drop(ring, &ring->counters->full);
			ring_leave(ring, level);
			return claim;
		}
		head = ring_look(ring, level);
		time = epitaph_clock();
		before = ring_is_far(ring, time) ? 3 : least;
		claim.words = before + payload;
		if (!ring_has_room(ring, head, claim.words))
			ring_switch(ring, level, head);
		else if (ring_take(ring, head, head + claim.words * 4))
			break;
	}
	claim.w = ring_open(ring, head, claim.words, time >> ring->shift);
	/* The claim shows 20 bits of the time: not enough, before commit:B. */
	if (before < 3)
		ring_saw(ring, time);
	ring->pending[level] = time;
	time >>= ring->shift;
	if (before > 1)
		id = write_long(claim.w, before, id, claim.words, time);
	claim.word = done_word(id << EPITAPH_ID_SHIFT, level, time);
	return claim;
}

void epitaph_ring_settle(struct epitaph_ring *ring, struct epitaph_claim claim)
{
	u32 level = claim.word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	__le64 *sum = ring_sum(ring, claim.w, level);
	u64 value = epitaph_ring_sum(le64_to_cpu(*sum), claim.word, claim.w, claim.words);

	ring_done(claim.w, claim.word);
	if (claim.word >> EPITAPH_ID_SHIFT == EPITAPH_ID_LONG_TIME)
		ring_saw(ring, ring->pending[level]);
	ring_summed(ring, sum, level, value);
}

void *epitaph_ring_reserve(struct epitaph_ring *ring, struct epitaph_rec *rec,
			   u32 id, u32 bytes, bool varies)
{
	u32 words = bytes / 4 + !!(bytes % 4);	/* bytes + 3 may be 2 */

	rec->ring = ring;
	rec->claim = epitaph_ring_claim(ring, id, words, varies);
	return rec->claim.w ? epitaph_claim_payload(rec->claim) : NULL;
}

void epitaph_ring_commit(struct epitaph_rec *rec)
{
	epitaph_ring_settle(rec->ring, rec->claim);
}

static bool ring_is_sane(const struct epitaph_ring *ring)
{
	if (ring->sub_size < 512 || ring->sub_size > 16384 ||
	    (ring->sub_size & (ring->sub_size - 1)))
		return false;
	return (uintptr_t)ring->data % ring->sub_size == 0 &&
	       ring->size % ring->sub_size == 0 &&
	       ring->size / ring->sub_size >= EPITAPH_MIN_SUBS &&
	       ring->size <= 0x80000000U;
}

int epitaph_ring_init(struct epitaph_ring *ring)
{
	u32 i;

	if (!ring_is_sane(ring))
		return -EINVAL;
	for (i = 0; i < ring->size; i += ring->sub_size)
		sub_at(ring, i)->check = 0;
	memset(ring->counters, 0, sizeof(*ring->counters));
	ring->counters->too_large_not = ~ring->counters->too_large;
	ring->counters->too_deep_not = ~ring->counters->too_deep;
	ring->counters->full_not = ~ring->counters->full;
	ring->full = false;
	for (i = 0; i < EPITAPH_LEVELS; i++) {
		ring->holds[i] = 0;
		ring->prepares[i] = EPITAPH_NO_SUB;
	}
	ring->seq = 1;
	ring->sub_mask = -(u64)ring->sub_size;
	ring->range = ring_range(ring->shift);
	ring->last = epitaph_clock();
	sub_prepare(ring, 0, ring->seq, 0, ring->last);
	ring->head = ring->seq << 32 | sizeof(struct epitaph_sub);
	ring->end = ring->sub_size;
	return 0;
}
