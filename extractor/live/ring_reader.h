/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a ring while the kernel writes to it: docs/live.md. Writers do not notice. */
#ifndef EPITAPH_LIVE_RING_READER_H
#define EPITAPH_LIVE_RING_READER_H

#include "recording/ring_walk.h"
#include "region/subbuf_proof.h"
#include "live.h"
#include "ring_place.h"

/* An event that cannot be read for this long, mostly an uncommitted one, is skipped. */
#define LIVE_PATIENCE	1000000000ULL	/* ns */

enum live_state {
	LIVE_HEAD,		/* @walk.stream.head is the next event */
	LIVE_IDLE,		/* all committed events were given */
	LIVE_BLOCKED,		/* the event after @proof.at.time cannot be given yet */
	LIVE_STRANGE,		/* the same; its format may have joined the region meanwhile */
};

/**
 * struct live_ring - the reader of one ring
 * @data: bytes of the sub-buffer @seq in @slot; walk.sub.end is the end of the proven part
 * @proof: the proven part
 * @last: the header of the last read
 * @given: events of @seq that were given; @skip: those that are not to be given again
 * @done: all events are given; @waits: the next event cannot be given yet
 * @filled: time of the last successful read; @stuck: since then @waits; 0: not
 * @stands: for the caller: the ring has an event that was not given yet
 * @last_lost: lost events, from the header of the previous sub-buffer
 */
struct live_ring {
	struct ring_walk walk;
	struct live_place place;
	struct live_counts counts;
	u8 *data;
	u64 seq;
	u32 slot;
	u32 given;
	u32 skip;
	struct subbuf_proof proof;
	struct epitaph_sub last;
	bool any_read;
	bool is_open;
	bool done;
	bool waits;
	bool stands;
	u64 filled;
	u64 stuck;
	u64 last_lost;
};

/* Reads nothing yet. @recording must outlive @ret, which the ops of its stream free. */
int live_ring_new(struct live_ring **ret, const struct recording *recording,
		  const struct live_place *place, struct err *err);

/* Goes to the sub-buffer with the events at @raw, in units of the ring. */
void live_ring_begin(struct live_ring *ring, u64 raw);

/**
 * live_ring_next() - go on to the next event
 * @now: CLOCK_MONOTONIC of the reader
 */
enum live_state live_ring_next(struct live_ring *ring, u64 now);

#endif
