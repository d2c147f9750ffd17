/* SPDX-License-Identifier: GPL-2.0-only */
/* What a probe calls: reserve, fill in, commit. */
#ifndef _EPITAPH_RECORD_H
#define _EPITAPH_RECORD_H

#include <linux/percpu.h>
#include <linux/types.h>
#include <epitaph/probes.h>
#include <epitaph/ring_fast.h>

/* record.c: an event that is long, steered, or not of the main channel. */
struct epitaph_claim epitaph_claim_long(const struct epitaph_event *ev,
					struct epitaph_ring *ring, u32 payload);

void epitaph_settle_long(const struct epitaph_event *ev, struct epitaph_ring *ring,
			 struct epitaph_claim claim, u32 payload);

/* record.c: the names of addresses in a raw record, for those who print it. */
void epitaph_note_symbols(const struct epitaph_event *ev, const void *raw);

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
	u32 payload = epitaph_ring_words(bytes);

	rec->ring = this_cpu_ptr(ev->rings);
	rec->payload = payload;
	if (__builtin_constant_p(payload) && likely(ev->is_short))
		rec->claim = epitaph_ring_claim_short(rec->ring, ev->id, payload);
	else
		rec->claim = epitaph_claim_long(ev, rec->ring, payload);
	if (unlikely(!rec->claim.w))
		return NULL;
	if (__builtin_constant_p(payload) && likely(rec->claim.words == 1 + payload))
		return (void *)(rec->claim.w + 1) - 8;
	return epitaph_claim_payload(rec->claim) - 8;
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
	if (!__builtin_constant_p(rec->payload) || unlikely(rec->claim.words != 1 + rec->payload)) {
		/* By value: that way the compiler keeps all of @rec in registers. */
		epitaph_settle_long(ev, rec->ring, rec->claim, rec->payload);
		return;
	}
	if (unlikely(ev->nr_syms))
		epitaph_note_symbols(ev, epitaph_claim_payload(rec->claim) - 8);
	epitaph_ring_settle_short(rec->ring, rec->claim, rec->payload);
}

#endif /* _EPITAPH_RECORD_H */
