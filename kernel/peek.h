/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the rings while they are written.
 *
 * The newest sub-buffers of all CPUs are copied, checked, and walked in the
 * order of time.  The writers do not notice.  There is one copy; whoever calls
 * sees to it that nobody else does.
 */
#ifndef _EPITAPH_PEEK_H
#define _EPITAPH_PEEK_H

#include <linux/types.h>
#include <epitaph/format.h>

struct epitaph_ring;

/**
 * struct epitaph_peek_event - an event in the copy
 * @time: in units of the format
 * @cpu: on which it was
 * @pid: of the task that ran there
 * @id: what it is; epitaph_event_by_id() may not know it
 * @payload: aligned to 4
 * @bytes: of @payload
 */
struct epitaph_peek_event {
	u64		time;
	u32		cpu;
	u32		pid;
	u32		id;
	u32		bytes;
	const void	*payload;
};

/**
 * struct epitaph_peek_result - what epitaph_peek_take() got
 * @nr_cpus: CPUs that something of the main channel was copied of
 * @unreadable: rings whose newest sub-buffer did not check
 * @damaged: older sub-buffers that did not check
 * @since: from this time on the copy is complete, and begins
 */
struct epitaph_peek_result {
	u32	nr_cpus;
	u32	unreadable;
	u32	damaged;
	u64	since;
};

/**
 * epitaph_peek_init() - get the memory
 *
 * Context: process, after epitaph_rings_start().
 * Return: 0 or -ENOMEM.
 */
int epitaph_peek_init(void);

/**
 * epitaph_peek_exit() - give it back
 *
 * Context: process, nobody peeks.
 */
void epitaph_peek_exit(void);

/**
 * epitaph_peek_take() - copy and check
 * @result: what came of it
 *
 * As much as there is memory for, and from the rings so that the time for which
 * there is something of each CPU becomes as long as possible.
 *
 * Context: any but NMI; RCU read side, since it looks events up.
 */
void epitaph_peek_take(struct epitaph_peek_result *result);

/**
 * epitaph_peek_rewind() - the next event is the oldest in the copy
 */
void epitaph_peek_rewind(void);

/**
 * epitaph_peek_next() - the next event of all CPUs, by time
 * @event: filled in; @event->payload points into the copy
 *
 * Return: false if there is no more.
 */
bool epitaph_peek_next(struct epitaph_peek_event *event);

/**
 * struct epitaph_peek_sample - what a ring got lately
 * @events: in its newest sub-buffer and the one before, as far as that is there
 * @since: when the older of them was begun, in units of the format
 */
struct epitaph_peek_sample {
	u32	events;
	u64	since;
};

/**
 * epitaph_peek_sample() - count the newest events of one ring
 * @ring: any
 * @room: of @ring->sub_size bytes, aligned to 8
 * @sample: filled in
 *
 * Context: any but NMI; RCU read side.  Needs no epitaph_peek_init(), and others may
 * peek meanwhile.
 * Return: 0, -EAGAIN: the ring is too quick, or -EBADMSG: it is damaged.
 */
int epitaph_peek_sample(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sample *sample);

/**
 * struct epitaph_peek_sub - a sub-buffer that was copied and checks
 * @off: where it was, in the ring
 * @prev: low half of the number of the one before it; 0: none
 * @vouched: by level, how many events its sums speak of
 */
struct epitaph_peek_sub {
	u32 off;
	u32 prev;
	u32 vouched[EPITAPH_LEVELS];
};

/**
 * epitaph_peek_newest() - copy the sub-buffer that a ring writes to
 * @ring: any
 * @room: of @ring->sub_size bytes, aligned to 8
 * @sub: filled in
 *
 * Context: any but NMI.
 * Return: 0; -EAGAIN: the ring is too quick, or -EBADMSG: it is damaged.
 */
int epitaph_peek_newest(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sub *sub);

/**
 * epitaph_peek_before() - copy the sub-buffer before the one copied last
 * @sub: of that one; of this one on return
 *
 * Return: 0; -ENOENT: it is overwritten, or -EBADMSG.
 */
int epitaph_peek_before(const struct epitaph_ring *ring, void *room,
			struct epitaph_peek_sub *sub);

/**
 * epitaph_peek_seal() - make a copied sub-buffer one of another place
 * @sub: as it was copied
 * @room: its @size bytes
 * @seed: of its check there
 * @is_newest: it may have been written to: what nobody vouches for, and all that
 *	follows that, goes; then it is closed
 */
void epitaph_peek_seal(const struct epitaph_peek_sub *sub, void *room, u32 size, u64 seed,
		       bool is_newest);

/**
 * epitaph_peek_oldest() - the sub-buffer from which on a ring is complete
 * @ring: any
 * @time: when it was begun, in units of the format
 * @whole: nothing was overwritten before it
 *
 * Context: any but NMI.
 * Return: false if none checks.
 */
bool epitaph_peek_oldest(const struct epitaph_ring *ring, u64 *time, bool *whole);

#endif /* _EPITAPH_PEEK_H */
