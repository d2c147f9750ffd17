/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reading the rings while they are written.
 *
 * The newest sub-buffers of all CPUs are copied, checked, and walked in the
 * order of time.  The writers do not notice.  There is one copy: callers take turns.
 */
#ifndef EPITAPH_HANDOUT_RECENT_EVENTS_H
#define EPITAPH_HANDOUT_RECENT_EVENTS_H

#include <linux/types.h>
#include <epitaph/format.h>

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
 * Context: process; no reader is at work.
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

#endif /* EPITAPH_HANDOUT_RECENT_EVENTS_H */
