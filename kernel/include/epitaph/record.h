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

/* @record, whose payload of @bytes is zero now. */
#define epitaph_zeroed(record, bytes)					\
	({								\
		__builtin_memset(&(record)->ent + 1, 0, bytes);		\
		(record);						\
	})

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
 *         payload is zero.  NULL if the event was dropped, and then it is counted.
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
