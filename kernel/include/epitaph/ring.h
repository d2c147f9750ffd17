/* SPDX-License-Identifier: GPL-2.0-only */
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
 * @sub_size: bytes of a sub-buffer, a power of two, at most 16384
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
 * @ring: zeroed, but for data, size, sub_size, salt, shift, pid, counters and stops
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
 *         too large or nested too deep, or the ring has stopped, and then it is
 *         counted as lost.  Never waits; unless the ring stops, it never fails
 *         because that is full: the oldest sub-buffer goes.
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
