/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Events in channels that were added.  Each is a copy of an event, with rings and a
 * probe of its own, and with the id of the event that it was made of.
 */
#ifndef EPITAPH_CONTROL_MEMBERS_H
#define EPITAPH_CONTROL_MEMBERS_H

#include <linux/list.h>
#include <epitaph/probes.h>

/**
 * struct epitaph_member - an event in a channel
 * @node: of all members
 * @ev: what its probe gets; wanted: the channel records
 * @origin: the event
 * @channel: whose it is
 */
struct epitaph_member {
	struct list_head node;
	struct epitaph_event ev;
	struct epitaph_event *origin;
	const void *channel;
};

/* events.c: which events there are, and what is to be recorded, stays as it is. */
void epitaph_events_lock(void);
void epitaph_events_unlock(void);

/*
 * Context of the rest: process, may sleep, epitaph_events_lock() held.
 */

/**
 * epitaph_member_add() - an event for a channel
 * @origin: the event
 * @rings: of the channel
 *
 * It is recorded from epitaph_members_run() on.
 * Return: 0 or -ENOMEM.
 */
int epitaph_member_add(struct epitaph_event *origin, struct epitaph_ring __percpu *rings,
		       const void *channel);

/* Of @channel and made of @origin, or NULL. */
struct epitaph_event *epitaph_member_of(const void *channel, const struct epitaph_event *origin);

/* If it was refused: perhaps what was the reason is not so any more. */
void epitaph_event_retry(struct epitaph_event *ev);

/* Call @fn for every event of every channel. */
void epitaph_members_each(void (*fn)(struct epitaph_member *member, void *arg), void *arg);

/* They are to go soon, and are left to the bridge from the next turn on. */
void epitaph_members_leave(const void *channel, const struct epitaph_event *origin);

/* Of a channel, or of an event that goes; epitaph_tp_lock is held.  The caller waits, and frees @gone. */
void epitaph_members_drop(struct list_head *gone, const void *channel,
			  const struct epitaph_event *origin);
void epitaph_members_free(struct list_head *gone);

/* probe.c: whatever is wanted and not on comes on, and the other way round. */
void epitaph_probes_follow(void);

/* Afterwards, if not @run, no probe of the channel runs on any CPU. */
void epitaph_members_run(const void *channel, bool run);

/* Forget them all; afterwards no probe of the channel runs on any CPU. */
void epitaph_members_remove(const void *channel);

/* The same of the main channel, but that its events are chosen as ever. */
void epitaph_main_run(bool run);
bool epitaph_main_runs(void);
bool epitaph_all_paused(void);		/* any context */

/* How many of a channel are recorded now, and were chosen. */
void epitaph_members_count(const void *channel, unsigned int *on, unsigned int *all);

#endif /* EPITAPH_CONTROL_MEMBERS_H */
