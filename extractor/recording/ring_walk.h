/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Turns the events of sub-buffers into items with thread, CPU and time. The caller supplies the
 * sub-buffers.
 */
#ifndef EPITAPH_RECORDING_RING_WALK_H
#define EPITAPH_RECORDING_RING_WALK_H

#include "event/stream.h"
#include "region/packed_decode.h"
#include "recording.h"

/**
 * struct ring_walk - the position in one ring
 * @stream: with the current item as @head; @ops of the caller
 * @ids: sizes of events
 * @owner: of a program's ring: it alone says whose the events are; NULL: the kernel wrote them
 * @blank: template of an item of this ring
 * @unit: bytes of a sub-buffer
 * @sub: the current sub-buffer, with the bytes @data
 * @raw: the same before they were repaired; NULL: they were not
 * @at: position in @sub
 * @slots: definitions for packed events
 * @unpacked: payload of the last packed event
 * @damaged: @sub is damaged: its events are uncertain
 * @pid: the running thread, or -1
 * @marks: of the next event, as are @nr_lost and @nr_lapped
 */
struct ring_walk {
	struct stream stream;
	const struct recording *recording;
	const struct ids *ids;
	const struct recording_owner *owner;
	struct item blank;
	u32 unit;
	struct subbuf sub;
	struct subbuf_cursor at;
	const u8 *data;
	const u8 *raw;
	struct packed_decode_slots slots;
	u8 unpacked[PACKING_SIZE];
	bool damaged;
	s64 pid;
	u32 marks;
	u64 nr_lost;
	u64 nr_lapped;
};

/* @walk: zeroed. @channel and @recording must outlive @walk. */
void ring_walk_init(struct ring_walk *walk, const struct stream_ops *ops,
		    const struct recording *recording, const char *channel, u32 cpu, u32 unit);

/* Begins with @walk->sub and @walk->data, which the caller has set. */
void ring_walk_enter(struct ring_walk *walk);

/* Goes on to the next event or unfinished claim of the sub-buffer. False: its end. */
bool ring_walk_next(struct ring_walk *walk);

/* Makes the current item one of @kind at @raw, in units of the ring, and returns it. */
struct item *ring_walk_stand(struct ring_walk *walk, enum item_kind kind, u64 raw);

/* As in struct stream_ops. */
u64 ring_walk_real(const struct stream *stream, const struct item *item);
u64 ring_walk_bound(const struct stream *stream, u64 time);

#endif
