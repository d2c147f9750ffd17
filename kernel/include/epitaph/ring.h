/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The ring of one CPU: reserve, commit.
 *
 * Writers on one CPU nest like a stack: task < softirq < hardirq < NMI <
 * machine check.  No writer waits, locks or allocates, and no instruction
 * carries a lock prefix.  docs/ring.md has the states, the content of memory
 * if the CPU stops between any two stores, and the pairs.
 */
#ifndef _EPITAPH_RING_H
#define _EPITAPH_RING_H

#include <epitaph/check.h>
#include <epitaph/crc32c.h>
#include <epitaph/format.h>
#include <epitaph/plat.h>

/* Each level may hold a sub-buffer that it fills and one that it prepares. */
#define EPITAPH_MIN_SUBS	(2 * EPITAPH_LEVELS + 6)

#define EPITAPH_MAX_SUB		65536

/**
 * struct epitaph_ring - what the writers of one CPU share, in ordinary memory
 * @head: low half: offset of the next free byte in @data; high half: low half
 *	of the sub-buffer's seq, so that a head never comes back
 * @last: time of the last event, in ticks of the clock; may lag, never leads
 * @range: an event this many ticks after @last carries its full time
 * @end: the offset in @data where the head's sub-buffer ends; 0: it is being changed, and the
 *	fast path is closed.  cmpxchg_local() of user space takes 64 bits, so it has as many
 * @data: the sub-buffers, in the region; aligned to @sub_size
 * @size: bytes of @data
 * @sub_mask: of an address in @data: where its sub-buffer begins
 * @sub_size: bytes of a sub-buffer, a power of two, at most EPITAPH_MAX_SUB
 * @nest: writers that have begun and not ended; also the level of the next
 * @salt: of the generation
 * @seq: the last one given out
 * @shift: clock_shift of the header
 * @pid: of the task that runs on this CPU; the caller keeps it
 * @holds: where each level writes: an offset in @data
 * @pending: the time of each level's event, until commit shows all of it
 * @prepares: the sub-buffer that each level makes ready, or EPITAPH_NO_SUB
 * @lost: events dropped, for struct epitaph_sub
 * @counters: in the region
 * @stops: when all of it is used, nothing is recycled; else the oldest goes
 * @full: it has stopped, and drops all events
 * @consumed: in the region; NULL: no reader decides what is recycled
 * @position: with @consumed, the offset of the sub-buffer that is read next, which is not recycled
 *
 * No reader needs any of it: what is in @data is enough.  What the fast path needs comes first.
 */
struct epitaph_ring {
	u64	head;
	u32	holds[EPITAPH_LEVELS];
	u32	shift;
	u64	last;
	u64	range;
	u64	end;
	u8	*data;
	unsigned long nest;
	u64	sub_mask;
	u32	sub_size;
	u32	size;
	u32	prepares[EPITAPH_LEVELS];
	u64	pending[EPITAPH_LEVELS];
	u64	salt;
	u64	seq;
	u64	lost;
	u32	pid;
	struct epitaph_counters *counters;
	bool	stops;
	bool	full;
	u32	position;
	struct epitaph_consumed *consumed;
};

#define EPITAPH_NO_SUB	0xffffffffU

/**
 * struct epitaph_claim - a claimed event
 * @w: its first word, or NULL: dropped
 * @word: what commit puts there
 * @words: all of it
 */
struct epitaph_claim {
	__le32	*w;
	u32	word;
	u32	words;
};

/* Words for a payload of @bytes; adding 3 first would make none of the largest. */
static inline u32 epitaph_ring_words(u32 bytes)
{
	return bytes / 4 + !!(bytes % 4);
}

/**
 * struct epitaph_rec - an event from reserve to commit
 *
 * On the writer's stack, and its own business.
 */
struct epitaph_rec {
	struct epitaph_ring *ring;
	struct epitaph_claim claim;
	u32 payload;
};

/**
 * epitaph_ring_init() - begin a ring
 * @ring: zeroed, but for data, size, sub_size, salt, shift, pid, counters, stops and consumed
 *
 * Whatever @ring->data held, its sub-buffers are empty afterwards.
 *
 * Context: @ring has no writer yet.
 * Return: 0, or -EINVAL: sub_size or size is out of range, size holds less
 *         than EPITAPH_MIN_SUBS sub-buffers, or data is not aligned.
 */
int epitaph_ring_init(struct epitaph_ring *ring);

/**
 * epitaph_ring_reserve() - claim room for one event
 * @ring: of this CPU
 * @rec: the caller's; filled in
 * @id: of the event
 * @bytes: of the payload
 * @varies: @bytes is not the same for every event of this @id
 *
 * Context: any, NMI included.  Preemption is off until epitaph_ring_commit().
 * Return: the payload, zeroed, aligned to 4, the caller's until
 *         epitaph_ring_commit(), which must follow; or NULL if the event is
 *         too large or nested too deep, or the ring has stopped or waits for
 *         its reader, and then it is counted as lost.  Never waits; a ring that
 *         does neither never fails because it is full: the oldest sub-buffer goes.
 */
void *epitaph_ring_reserve(struct epitaph_ring *ring, struct epitaph_rec *rec,
			   u32 id, u32 bytes, bool varies);

/**
 * epitaph_ring_commit() - from here on, the event is one
 * @rec: as epitaph_ring_reserve() left it
 *
 * Context: as epitaph_ring_reserve(), on the same CPU.
 */
void epitaph_ring_commit(struct epitaph_rec *rec);

/**
 * epitaph_ring_max_payload() - the largest event that @ring takes
 * @ring: any
 *
 * Return: bytes of payload.
 */
u32 epitaph_ring_max_payload(const struct epitaph_ring *ring);

/* The same two steps with the claim as a value; @payload is in words. */
struct epitaph_claim epitaph_ring_claim(struct epitaph_ring *ring, u32 id,
					u32 payload, bool varies);
void epitaph_ring_settle(struct epitaph_ring *ring, struct epitaph_claim claim);

/**
 * epitaph_ring_close() - let a reader have the sub-buffer that is written to
 * @ring: of this CPU, with a reader
 *
 * Nothing is done if it is empty, or if no writer is left to nest.
 *
 * Context: any, NMI included, on the ring's CPU with preemption off; or no writer can come.
 */
void epitaph_ring_close(struct epitaph_ring *ring);

/**
 * epitaph_ring_ready() - what a reader may read
 * @ring: with a reader
 *
 * Context: as epitaph_ring_close().
 * Return: the end of it, as an offset in @ring->data; it begins at @ring->position, is empty if it
 *	ends there, and goes around the end of the ring if it ends before.
 */
u32 epitaph_ring_ready(const struct epitaph_ring *ring);

/**
 * epitaph_ring_give() - a reader needs what it has read no more
 * @ring: with a reader
 * @end: of it; what epitaph_ring_ready() has returned since the last time, or before that
 *
 * Context: any; the callers serialize all calls of one ring.
 */
void epitaph_ring_give(struct epitaph_ring *ring, u32 end);

/**
 * epitaph_ring_move() - go on in other memory
 * @ring: overwrites, and has no reader
 * @to: its data, size, sub_size and pid are for @ring; no check in that memory holds; its last is
 *	when the first sub-buffer there begins, 0: now
 * @old: the ring as it was is copied there; what it has in the region stays, and no writer comes
 *
 * The number of the first sub-buffer there is the next one, and its predecessor is the last one
 * here.  A writer that interrupts the last few stores drops its event, which is counted as nested
 * too deep.  docs/sizes.md has the states.
 *
 * Context: the ring's CPU with interrupts off, or no writer can come.
 * Return: 0; -EAGAIN: a writer was interrupted, or one came: nothing has changed; -EINVAL: as for
 *	epitaph_ring_init().
 */
int epitaph_ring_move(struct epitaph_ring *ring, const struct epitaph_ring *to,
		      struct epitaph_ring *old);

/**
 * epitaph_ring_put() - a sub-buffer that is whole, where no writer is
 * @ring: whose memory it is
 * @off: in @ring->data; its check there is 0
 * @from: its @ring->sub_size bytes, checked for @off
 */
void epitaph_ring_put(const struct epitaph_ring *ring, u32 off, const void *from);

/* No writer can claim anything: the next one that finds room goes on. */
static inline bool epitaph_ring_waits(const struct epitaph_ring *ring)
{
	return ring->consumed && ((u32)READ_ONCE(ring->head) & (ring->sub_size - 1)) == ring->sub_size - 1;
}

/* No claim: the event is dropped, and counted. */
struct epitaph_claim epitaph_ring_too_deep(struct epitaph_ring *ring);

/* The sum of a level, with the event at @w, whose first word is or will be @word. */
u64 epitaph_ring_sum(u64 sum, u32 word, const __le32 *w, u32 words);

/**
 * epitaph_claim_payload() - behind the header of a claimed event
 * @claim: not dropped
 */
static inline void *epitaph_claim_payload(struct epitaph_claim claim)
{
	u32 id = claim.word >> EPITAPH_ID_SHIFT;

	return claim.w + (id > EPITAPH_ID_LONG_TIME ? 1 : id + 1);
}

#endif /* _EPITAPH_RING_H */
