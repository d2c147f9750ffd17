/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The events of one sub-buffer after the other, as entries: who ran, on which
 * CPU, and when.  Where sub-buffers come from is the caller's.
 */
#ifndef EPITAPH_RECORDING_RING_WALK_H
#define EPITAPH_RECORDING_RING_WALK_H

#include "event/stream.h"
#include "region/packed_decode.h"
#include "recording.h"

/**
 * struct ring_walk - where it is in one ring
 * @stream: its @head is the entry; the caller's @ops
 * @blank: an entry of the ring, before anything is said of it
 * @unit: bytes of a sub-buffer
 * @sub: the open one, whose bytes are @data
 * @at: in it
 * @slots: that its packed events refer to
 * @unpacked: the payload of the last one that was packed
 * @damaged: so its events may be anything
 * @pid: that runs, or -1
 * @marks: for the next event, with @nr_lost and @nr_lapped
 */
struct ring_walk {
	struct stream stream;
	const struct recording *recording;
	struct item blank;
	u32 unit;
	struct subbuf sub;
	struct subbuf_cursor at;
	const u8 *data;
	struct packed_decode_slots slots;
	u8 unpacked[PACKING_SIZE];
	bool damaged;
	s64 pid;
	u32 marks;
	u64 nr_lost;
	u64 nr_lapped;
};

/* @walk: zeroed; @channel must outlive it, and so @recording. */
void ring_walk_init(struct ring_walk *walk, const struct stream_ops *ops,
		    const struct recording *recording, const char *channel, u32 cpu, u32 unit);

/* To the first event of @walk->sub, which the caller has filled in, as @walk->data. */
void ring_walk_enter(struct ring_walk *walk);

/* To the next event of it, or to what was left unfinished; false: there is no more. */
bool ring_walk_next(struct ring_walk *walk);

/* Something of @kind stands at @raw, in units of the ring. */
struct item *ring_walk_stand(struct ring_walk *walk, enum item_kind kind, u64 raw);

/* As in struct stream_ops. */
u64 ring_walk_real(const struct stream *stream, const struct item *item);
u64 ring_walk_bound(const struct stream *stream, u64 time);

#endif
