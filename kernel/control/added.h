/* SPDX-License-Identifier: GPL-2.0-only */
/* Channels that are added, started, stopped and removed while recording: docs/channels.md. */
#ifndef EPITAPH_CONTROL_ADDED_H
#define EPITAPH_CONTROL_ADDED_H

#include <linux/types.h>
#include <epitaph/format.h>

struct epitaph_answer;
struct epitaph_event;
struct epitaph_ring;

/*
 * Context of all of these: process, may sleep; between epitaph_probes_start() and
 * epitaph_probes_stop().  @answer gets what is wrong, in one line, or what is so now.
 */

/**
 * epitaph_added_add() - a channel that records
 * @name: of the channel; no other channel may have it
 * @size: bytes of the pool, all CPUs together
 * @sub_size: of a sub-buffer; 0: as fits @size
 * @globs: words of its events, as those of the parameter "events"
 *
 * Return: 0; -EINVAL, -EEXIST, -ENOSPC, -ENOMEM.
 */
int epitaph_added_add(struct epitaph_answer *answer, const char *name, u64 size, u32 sub_size,
		      enum epitaph_mode mode, const char *globs);

/**
 * epitaph_added_run() - record into a channel, or stop
 * @name: of an added channel, or "main"
 *
 * Return: 0 also if it was so; -ENOENT, -EINVAL.
 */
int epitaph_added_run(struct epitaph_answer *answer, const char *name, bool run);

/**
 * epitaph_added_remove() - a channel and what it holds are gone
 * @name: of an added channel that is stopped, or of a copy
 *
 * Return: 0; -ENOENT, -EINVAL, -EBUSY: it records.
 */
int epitaph_added_remove(struct epitaph_answer *answer, const char *name);

/**
 * epitaph_added_copy() - a copy of a channel at this moment goes into the pool
 * @name: of any channel
 * @size: bytes of the pool at most; 0: half of what is free
 * @why: for the mark
 *
 * The newest events, as many as fit.  Recording goes on.
 *
 * Return: 0; -ENOENT, -EINVAL, -ENOSPC, -ENOMEM.
 */
int epitaph_added_copy(struct epitaph_answer *answer, const char *name, u64 size,
		       const char *why);

/* A line for the pool, and one for each channel. */
void epitaph_added_show(struct epitaph_answer *answer);

/* The same two without words, for triggers. */
int epitaph_channel_stop(const char *name);
int epitaph_channel_snapshot(const char *name, const char *why, bool marks);

/* Those of this CPU; interrupts off. */
void epitaph_added_each_ring(void (*fn)(struct epitaph_ring *ring));

/* Is there a channel of that name that can be stopped, or copied?  0 or an error. */
int epitaph_added_check(struct epitaph_answer *answer, const char *name, bool stop);

/* For members: the channel of that name which records events, or NULL; and its name. */
const void *epitaph_added_find(const char *name);
const char *epitaph_added_name(const void *channel);

/* probe.c calls it when @ev is registered, with the lock of the events held. */
void epitaph_added_offer(struct epitaph_event *ev);

/* All go; their probes are away.  What the region holds stays. */
void epitaph_added_exit(void);

#endif /* EPITAPH_CONTROL_ADDED_H */
