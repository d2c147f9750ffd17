/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A ring that is written to while it is read: its events as they are committed,
 * docs/live.md.  Writers do not notice.
 */
#ifndef EPITAPH_LIVE_RING_READER_H
#define EPITAPH_LIVE_RING_READER_H

#include "recording/ring_walk.h"
#include "region/subbuf_proof.h"
#include "live.h"

/* What cannot be read for so long, an event that is not committed above all, is left behind. */
#define LIVE_PATIENCE	1000000000ULL	/* ns */

/**
 * struct live_place - where a ring lies; as a section has it
 * @channel: terminated
 */
struct live_place {
	u64 off;
	u64 size;
	u32 unit;
	u32 cpu;
	char channel[33];
};

enum live_state {
	LIVE_HEAD,		/* @walk.stream.head is next */
	LIVE_IDLE,		/* nothing is committed that was not given */
	LIVE_BLOCKED,		/* nothing can be given yet, later than @proof.at.time */
	LIVE_STRANGE,		/* the same; perhaps the format joined the region meanwhile */
};

/**
 * struct live_ring - one
 * @data: of the sub-buffer of number @seq, in @slot; walk.sub.end is how far it is proven
 * @proof: how far
 * @last: the header as it was read last
 * @done: all of it is given; @waits: there is something that cannot be, yet
 * @filled: when something was read of it last; @stuck: since when nothing can be
 * @stands: the caller's: it has an event that was not given yet
 * @last_lost: what the header before said of lost events
 */
struct live_ring {
	struct ring_walk walk;
	struct live_place place;
	struct live_counts counts;
	u8 *data;
	u64 seq;
	u32 slot;
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

/* @recording must outlive it.  Nothing is read yet.  Its stream's ops free it. */
int live_ring_new(struct live_ring **ret, const struct recording *recording,
		  const struct live_place *place, struct err *err);

/* live_ring_begin() - go to the sub-buffer that holds @raw, in units of the ring */
void live_ring_begin(struct live_ring *ring, u64 raw);

/**
 * live_ring_next() - on to the next event
 * @now: CLOCK_MONOTONIC of the reader
 */
enum live_state live_ring_next(struct live_ring *ring, u64 now);

#endif
