/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Copies of a ring's sub-buffers, taken while it is written.  The writers do not notice.
 */
#ifndef EPITAPH_CORE_SUBBUF_COPY_H
#define EPITAPH_CORE_SUBBUF_COPY_H

#include <linux/types.h>
#include <epitaph/format.h>

struct epitaph_ring;

/**
 * struct epitaph_subcopy - a sub-buffer that was copied and checks
 * @data: where to, the caller's: of the ring's sub_size bytes, aligned to 8
 * @off: where it was, in the ring
 * @prev: low half of the number of the one before it; 0: none
 * @start: when it was begun, in units of the format
 * @vouched: by level, how many events its sums speak of
 * @nr_unvouched: events that they do not speak of
 * @nr_events: all of them, but the silent
 */
struct epitaph_subcopy {
	u8	*data;
	u32	off;
	u32	prev;
	u64	start;
	u32	vouched[EPITAPH_LEVELS];
	u32	nr_unvouched;
	u32	nr_events;
};

/**
 * epitaph_subcopy_newest() - copy the sub-buffer that a ring writes to
 * @copy: @data is given; all else is filled in
 * @ring: any
 *
 * Context: any but NMI.
 * Return: 0; -EAGAIN: the ring is too quick, or -EBADMSG: it is damaged.
 */
int epitaph_subcopy_newest(struct epitaph_subcopy *copy, const struct epitaph_ring *ring);

/**
 * epitaph_subcopy_before() - copy the sub-buffer before another one
 * @copy: @data is given; all else is filled in
 * @ring: of both
 * @newer: the other one; may be @copy
 *
 * Context: any but NMI.
 * Return: 0; -ENOENT: it is overwritten, or -EBADMSG.  Then @copy is undefined.
 */
int epitaph_subcopy_before(struct epitaph_subcopy *copy, const struct epitaph_ring *ring,
			   const struct epitaph_subcopy *newer);

/**
 * epitaph_subcopy_seal() - make a copied sub-buffer one of another place
 * @copy: its @data are changed
 * @size: of it
 * @seed: of its check there
 * @is_newest: a CPU may still write to the original: the first event that no sum covers, and
 *	all events after it, are removed; then the copy is closed
 *
 * Context: any.
 */
void epitaph_subcopy_seal(const struct epitaph_subcopy *copy, u32 size, u64 seed, bool is_newest);

/**
 * struct epitaph_sample - what a ring got lately
 * @events: in its newest sub-buffer and the one before, as far as that is there
 * @since: when the older of them was begun, in units of the format
 */
struct epitaph_sample {
	u32	events;
	u64	since;
};

/**
 * epitaph_subcopy_sample() - count the newest events of one ring
 * @ring: any
 * @room: of @ring->sub_size bytes, aligned to 8
 * @sample: filled in
 *
 * Context: any but NMI.
 * Return: 0, -EAGAIN: the ring is too quick, or -EBADMSG: it is damaged.
 */
int epitaph_subcopy_sample(const struct epitaph_ring *ring, void *room,
			   struct epitaph_sample *sample);

/**
 * epitaph_subcopy_oldest() - the sub-buffer from which on a ring is complete
 * @ring: any
 * @time: when it was begun, in units of the format
 * @whole: nothing was overwritten before it
 *
 * Context: any but NMI.
 * Return: false if none checks.
 */
bool epitaph_subcopy_oldest(const struct epitaph_ring *ring, u64 *time, bool *whole);

#endif /* EPITAPH_CORE_SUBBUF_COPY_H */
