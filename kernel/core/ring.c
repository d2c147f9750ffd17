// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
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
 * stops recycles none: it has those that lie behind the head.  One with a reader recycles
 * what lies before the reader's position.
 */
static u32 sub_next(const struct epitaph_ring *ring, u32 level, u32 sub)
{
	do {
		sub += ring->sub_size;
		if (sub >= ring->size && ring->stops)
			return EPITAPH_NO_SUB;
		if (sub >= ring->size)
			sub = 0;
		/*
		 * The position before anything is stored in what lies before it.
		 * order:room pairs with order:give in kernel/core/ring.c
		 */
		if (ring->consumed && sub == smp_load_acquire(&ring->position))
			return EPITAPH_NO_SUB;
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

static void sub_vouch(struct epitaph_sub *sub, u64 check)
{
	/*
	 * Zeroes, header and what the sums begin with, before the check that vouches for them.
	 * order:vouch pairs with order:vouched in kernel/core/subbuf_copy.c
	 */
	smp_wmb();
	WRITE_ONCE(sub->check, cpu_to_le64(check));			/* switch:B */
	crash_point("switch:B");
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
	sub_vouch(sub, check);
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
	u32 last = ring->sub_size - 1;		/* where no event ends */
	u64 time = epitaph_clock();

	sub_prepare(ring, new, seq, head >> 32, time);
	WRITE_ONCE(ring->end, 0);					/* end:A */
	/* order:end is local: a nested writer finds the fast path closed before the head moves */
	barrier();
	crash_point("end:A");
	if (cmpxchg_local(&ring->head, head, next) == head) {		/* switch:C */
		crash_point("switch:C");
		WRITE_ONCE(ring->last, time);
		/* A ring that waited for its reader has closed it: ring_end(). */
		if ((head & last) != last)
			sub_close(ring, (u32)head);
	}
	ring_open_fast(ring);
}

/*
 * Nothing is claimed any more, however small: an event after a loss would look as if no event
 * were missing.  So the head moves first, and a nested writer finds no room either.
 *
 * Return: false: a nested writer has moved the head since it was @head, which this level holds.
 */
static bool ring_end(struct epitaph_ring *ring, u64 head)
{
	u32 last = ring->sub_size - 1;		/* where no event ends */

	if (cmpxchg_local(&ring->head, head, head | last) != head)	/* stop:A */
		return false;
	crash_point("stop:A");
	if (ring->stops)
		WRITE_ONCE(ring->full, true);				/* stop:B */
	crash_point("stop:B");
	if ((head & last) != last)
		sub_close(ring, (u32)head);
	return true;
}

/* Return: false: the ring is full, until its reader has made room. */
static noinline bool ring_switch(struct epitaph_ring *ring, u32 level, u64 head)
{
	u32 new = sub_next(ring, level, sub_start(ring, (u32)head));
	u64 seq;

	if (new == EPITAPH_NO_SUB) {
		crash_point("stop:judge");
		return !ring_end(ring, head) || ring->stops;
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
	return true;
}

static void count(__le64 *counter)
{
	__le64 n, next;

	do {
		n = READ_ONCE(counter[0]);
		next = cpu_to_le64(le64_to_cpu(n) + 1);
	} while (cmpxchg_local(counter, n, next) != n);			/* count:A */
	crash_point("count:A");
	/* A nested writer that counts in between leaves the pair consistent; so does this. */
	do {
		n = READ_ONCE(counter[0]);
		crash_point("count:B");					/* count:B */
		WRITE_ONCE(counter[1], ~n);
		/* order:count is local: a nested writer may have counted */
		barrier();
	} while (READ_ONCE(counter[0]) != n);
}

/* Nested writers may count here too. */
static void ring_drop(struct epitaph_ring *ring, __le64 *counter)
{
	u64 lost;

	do {
		lost = READ_ONCE(ring->lost);
	} while (cmpxchg_local(&ring->lost, lost, lost + 1) != lost);
	count(counter);
}

/* Counts events of @id; without a free entry, they are in the counter of all alone. */
static void count_dropped(struct epitaph_consumed *consumed, u32 id)
{
	__le64 key = cpu_to_le64((u64)~id << 32 | id);
	u32 i, at = id % EPITAPH_NR_DROPPED;

	for (i = 0; i < EPITAPH_NR_DROPPED; i++) {
		struct epitaph_dropped *to = &consumed->dropped[(at + i) % EPITAPH_NR_DROPPED];
		__le64 *word = (__le64 *)&to->id, now = READ_ONCE(*word);

		if (!now)
			now = cmpxchg_local(word, 0, key) ?: key;	/* drop:A */
		crash_point("drop:A");
		if (now == key) {
			count(&to->nr);
			return;
		}
	}
}

static void drop_full(struct epitaph_ring *ring, u32 id)
{
	/* The event that follows it is dropped as well, and the next sub-buffer says who runs. */
	if (ring->consumed && id == EPITAPH_ID_PID)
		return;
	ring_drop(ring, &ring->counters->full);
	if (ring->consumed)
		count_dropped(ring->consumed, id);
}

u32 epitaph_ring_max_payload(const struct epitaph_ring *ring)
{
	u32 most = ring->sub_size < EPITAPH_FAST_WORDS * 4 ? ring->sub_size : EPITAPH_FAST_WORDS * 4;

	return most - sizeof(struct epitaph_sub) - 4 * sizeof(__le32);
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

/*
 * How often the head may move while a writer reads the clock.  Interrupts do not come so fast: who
 * writes each time is called by the clock itself, a function then, and it would go on for ever.
 */
#define CLAIM_TRIES	64

struct epitaph_claim epitaph_ring_claim(struct epitaph_ring *ring, u32 id,
					u32 payload, bool varies)
{
	u32 least = varies || id > EPITAPH_ID_SHORT_MAX ? 2 : 1;
	u32 before, tries = CLAIM_TRIES, level = READ_ONCE(ring->nest);
	struct epitaph_claim claim = { };
	bool is_taken = false;
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
		if (READ_ONCE(ring->full))
			break;
		head = ring_look(ring, level);
		time = epitaph_clock();
		before = ring_is_far(ring, time) ? 3 : least;
		claim.words = before + payload;
		if (!ring_has_room(ring, head, claim.words)) {
			if (!ring_switch(ring, level, head))
				break;
		} else if (ring_take(ring, head, head + claim.words * 4)) {
			is_taken = true;
			break;
		} else if (!--tries) {
			ring_leave(ring, level);
			return epitaph_ring_too_deep(ring);
		}
	}
	if (!is_taken) {
		drop_full(ring, id);
		ring_leave(ring, level);
		return (struct epitaph_claim){ };
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

void epitaph_ring_close(struct epitaph_ring *ring)
{
	u32 level = READ_ONCE(ring->nest), used;
	u64 head;

	if (level >= EPITAPH_LEVELS)
		return;
	ring_enter(ring, level);
	head = ring_look(ring, level);
	used = (u32)head - sub_start(ring, (u32)head);
	/* A full ring has room in its head still, which an end would waste. */
	if (used > sizeof(struct epitaph_sub) &&
	    sub_next(ring, level, sub_start(ring, (u32)head)) != EPITAPH_NO_SUB)
		ring_switch(ring, level, head);
	ring_leave(ring, level);
}

u32 epitaph_ring_ready(const struct epitaph_ring *ring)
{
	u32 head = sub_start(ring, (u32)READ_ONCE(ring->head));
	u32 end = ring->position;

	while (end != head && !sub_is_held(ring, READ_ONCE(ring->nest), end)) {
		end += ring->sub_size;
		if (end >= ring->size)
			end = 0;
	}
	return end;
}

void epitaph_ring_give(struct epitaph_ring *ring, u32 end)
{
	__le64 *given = &ring->consumed->seq;
	u64 seq, newest = le64_to_cpu(given[0]);
	u32 off = ring->position;

	/* What the ring went around has the number of the lap before, or was never made ready. */
	while (off != end) {
		seq = sub_at(ring, off)->check ? le64_to_cpu(sub_at(ring, off)->seq) : 0;
		newest = seq > newest ? seq : newest;
		off += ring->sub_size;
		if (off >= ring->size)
			off = 0;
	}
	WRITE_ONCE(given[0], cpu_to_le64(newest));			/* give:A */
	crash_point("give:A");
	WRITE_ONCE(given[1], cpu_to_le64(~newest));			/* give:B */
	crash_point("give:B");
	/*
	 * What the reader has loaded, before a writer stores there.
	 * order:give pairs with order:room in kernel/core/ring.c
	 */
	smp_store_release(&ring->position, end);			/* give:C */
	crash_point("give:C");
}

static bool ring_is_sane(const struct epitaph_ring *ring)
{
	if (ring->sub_size < 512 || ring->sub_size > EPITAPH_MAX_SUB ||
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
	if (ring->consumed) {
		memset(ring->consumed, 0, sizeof(*ring->consumed));
		ring->consumed->seq_not = ~ring->consumed->seq;
	}
	ring->full = false;
	ring->position = 0;
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

/* Writers drop what comes meanwhile: until ring_leave() no level is free. */
static void ring_go_on(struct epitaph_ring *ring, const struct epitaph_ring *next, u64 seq, u64 time)
{
	ring->data = next->data;
	ring->size = next->size;
	ring->sub_size = next->sub_size;
	ring->sub_mask = next->sub_mask;
	ring->pid = next->pid;
	ring->last = time;
	ring->head = seq << 32 | sizeof(struct epitaph_sub);
	ring->end = ring->sub_size;
}

/* What a writer that comes costs, before nothing has changed. */
#define MOVE_TRIES	8

int epitaph_ring_move(struct epitaph_ring *ring, const struct epitaph_ring *to,
		      struct epitaph_ring *old)
{
	struct epitaph_ring next = *ring;
	u64 head, seq, begun;
	u32 i;

	next.data = to->data;
	next.size = to->size;
	next.sub_size = to->sub_size;
	next.sub_mask = -(u64)to->sub_size;
	next.pid = to->pid;
	if (!ring_is_sane(&next))
		return -EINVAL;
	for (i = 0; i < MOVE_TRIES && !READ_ONCE(ring->nest); i++) {
		head = READ_ONCE(ring->head);
		seq = seq_next(ring);
		begun = to->last ?: epitaph_clock();
		sub_prepare(&next, 0, seq, head >> 32, begun);		/* move:A */
		crash_point("move:A");
		ring_enter(ring, EPITAPH_LEVELS - 1);			/* move:B */
		if (READ_ONCE(ring->head) == head) {
			*old = *ring;
			sub_close(ring, (u32)head);
			ring_go_on(ring, &next, seq, begun);		/* move:C */
			crash_point("move:C");
			ring_leave(ring, 0);				/* move:D */
			return 0;
		}
		ring_leave(ring, 0);
	}
	return -EAGAIN;
}

void epitaph_ring_put(const struct epitaph_ring *ring, u32 off, const void *from)
{
	const struct epitaph_sub *sub = from;
	u32 behind = offsetof(struct epitaph_sub, used);
	u8 *to = ring->data + off;

	memcpy(to, from, offsetof(struct epitaph_sub, check));
	memcpy(to + behind, (const u8 *)from + behind, ring->sub_size - behind);
	crash_point("put:filled");
	sub_vouch(sub_at(ring, off), le64_to_cpu(sub->check));
}
