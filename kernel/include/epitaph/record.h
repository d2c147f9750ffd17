/* SPDX-License-Identifier: GPL-2.0-only */
/* What a probe calls: reserve, fill in, commit. */
#ifndef _EPITAPH_RECORD_H
#define _EPITAPH_RECORD_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <epitaph/probes.h>
#include <epitaph/ring_fast.h>

/* Records on the stack; what is larger goes by epitaph_reserve(). */
#define EPITAPH_STACK_BYTES	256

/* record.c: an event of any size, steered, or not of the main channel */
struct epitaph_claim epitaph_claim_any(const struct epitaph_event *ev,
				       struct epitaph_ring *ring, u32 payload);
void epitaph_settle_any(const struct epitaph_event *ev, struct epitaph_ring *ring,
			struct epitaph_claim claim, u32 payload);

/**
 * struct epitaph_fast_context - of an event whose context is put behind it on the fast path
 * @ev: the event
 * @rings: of the event
 * @first: its id as it stands in a first word
 * @own: words of the event without the context, the first word included
 * @at: words before the context
 * @words: of all of it
 * @id: of the event with context
 * @shift: bytes by which what is of any length lies farther behind; the event is a long one then, and
 *	@first, @own and @words say nothing
 * @is_pair: it is irq and preempt, and no more
 *
 * The one that epitaph_event.fast_context points to does not change, and is freed after the
 * probes that may have read it.
 */
struct epitaph_fast_context {
	const struct epitaph_event *ev;
	struct epitaph_ring __percpu *rings;
	u32 first;
	u16 own;
	u16 at;
	u16 words;
	u16 id;
	u16 shift;
	bool is_pair;
};

/**
 * epitaph_context_commit() - the context behind an event on the fast path, and its commit
 * @context: of the event
 * @w: where the event is
 * @word: what commit puts there
 * @sum: with what is there without the context
 *
 * Context: any, NMI included; preemption off.
 */
void epitaph_context_commit(struct epitaph_ring *ring, const struct epitaph_fast_context *context,
			    __le32 *w, u32 word, unsigned long level, u64 sum);

/**
 * epitaph_context_commit_long() - the same of an event whose size varies
 * @words: of all of it
 */
void epitaph_context_commit_long(struct epitaph_ring *ring, const struct epitaph_fast_context *context,
				 __le32 *w, u32 word, unsigned long level, u32 words);

/* As epitaph_fast_commit(); @own is a constant.  A last call, so that nothing has to be saved. */
static __always_inline void epitaph_fast_commit_context(struct epitaph_ring *ring,
							const struct epitaph_fast *fast,
							const struct epitaph_fast_context *context,
							u32 own)
{
	__le64 *sum = ring_sum(ring, fast->w, fast->level);
	u32 word = fast->word | context->first;

	epitaph_context_commit(ring, context, fast->w, word, fast->level,
			       event_sum(le64_to_cpu(*sum), word, fast->w, own));
}

/* record.c: the names of addresses in a raw record, for those who print it. */
void epitaph_note_symbols(const struct epitaph_event *ev, const void *raw);

/**
 * epitaph_record() - a record that is whole
 * @ev: published by epitaph_event_publish()
 * @raw: a struct trace_event_raw_x of a fixed size, whose common bytes are the callee's; 8 bytes
 *	behind it are readable
 * @bytes: of the payload, at most EPITAPH_STACK_BYTES
 *
 * Context: any, NMI included; preemption is off.
 */
void epitaph_record(const struct epitaph_event *ev, void *raw, u32 bytes);

/**
 * epitaph_record_long() - the same of a record whose size varies
 * @raw: as epitaph_record(), with 8 zeroes behind it
 * @bytes: as epitaph_record()
 */
void epitaph_record_long(const struct epitaph_event *ev, void *raw, u32 bytes);

/* Of a record on the stack, a part of the last word and a whole one behind it included. */
#define EPITAPH_ROOM_BYTES(payload)	(sizeof(struct epitaph_entry) + (payload) + 16)

/**
 * epitaph_zero_room() - no byte of the payload has what the stack had
 * @room: EPITAPH_ROOM_BYTES(@bytes), or more
 * @fixed: bytes of the payload, at least; a constant
 * @bytes: of the payload
 */
static __always_inline void *epitaph_zero_room(u64 *room, u32 fixed, u32 bytes)
{
	u64 *payload = room + sizeof(struct epitaph_entry) / 8;
	u32 i;

	__builtin_memset(payload, 0, fixed);
	/* A loop of plain stores would become a call of memset(). */
	plat_no_unroll
	for (i = fixed / 8; i < bytes / 8 + 2; i++)
		WRITE_ONCE(payload[i], 0);
	return room;
}

/**
 * epitaph_reserve() - claim room for one event on this CPU
 * @ev: published by epitaph_event_publish(), so that its format is in the
 *	region before the first event is
 * @rec: on the caller's stack
 * @bytes: of the payload, behind the 8 common bytes of struct trace_entry
 *
 * Context: any, NMI included.  Preemption is off until epitaph_commit().
 * Return: where the kernel's struct trace_event_raw_x would begin, 8 bytes
 *         before the payload; the caller must not write those 8 bytes.  The
 *         payload is zero.  NULL if the event was dropped, and then it is counted, or is the
 *         bridge's in this CPU's turn.
 *         A steered event is put together elsewhere; epitaph_commit() decides
 *         whether it goes into the ring.
 */
static __always_inline void *epitaph_reserve(const struct epitaph_event *ev,
					     struct epitaph_rec *rec,
					     unsigned int bytes)
{
	rec->ring = this_cpu_ptr(ev->rings);
	rec->payload = epitaph_ring_words(bytes);
	rec->claim = epitaph_claim_any(ev, rec->ring, rec->payload);
	return likely(rec->claim.w) ? epitaph_claim_payload(rec->claim) - 8 : NULL;
}

/**
 * epitaph_commit() - the record is complete
 * @ev: as given to epitaph_reserve()
 * @rec: as epitaph_reserve() left it
 *
 * Context: as epitaph_reserve(), on the same CPU.
 */
static __always_inline void epitaph_commit(const struct epitaph_event *ev,
					   struct epitaph_rec *rec)
{
	/* By value: that way the compiler keeps all of @rec in registers. */
	epitaph_settle_any(ev, rec->ring, rec->claim, rec->payload);
}

#endif /* _EPITAPH_RECORD_H */
