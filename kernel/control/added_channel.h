/* SPDX-License-Identifier: GPL-2.0-only */
/* What is known of an added channel; for added*.c alone.  All of it changes under epitaph_events_lock(). */
#ifndef EPITAPH_CONTROL_ADDED_CHANNEL_H
#define EPITAPH_CONTROL_ADDED_CHANNEL_H

#include <linux/list.h>
#include <linux/types.h>
#include <epitaph/format.h>

struct epitaph_answer;
struct epitaph_channel_dir;
struct epitaph_choice;
struct epitaph_reader;
struct epitaph_ring;

/**
 * struct epitaph_added_channel - one that was added, or a copy
 * @shape: as the region has it
 * @entry: of the pool
 * @old: of the pool, while a CPU is still in the rings before those of @entry; -1: none
 * @counted: of the pool, where the counters are if not in @entry; -1
 * @rings: by CPU; NULL: a copy
 * @choice: the words of its events
 * @dir: in sysfs; may lack
 * @reader: the file that reads it out; NULL: none
 */
struct epitaph_added_channel {
	struct list_head node;
	struct epitaph_added shape;
	int entry;
	int old;
	int counted;
	struct epitaph_ring __percpu *rings;
	struct epitaph_choice *choice;
	struct epitaph_channel_dir *dir;
	struct epitaph_reader *reader;
	bool runs;
};

extern struct list_head epitaph_added_list;

/* Context of all that follow: process, with that lock; @answer gets what is wrong. */

/* The channel of that name, added or copied, or NULL; the number of one that is always there, or -1. */
struct epitaph_added_channel *epitaph_channel_find(const char *name);
int epitaph_channel_own(const char *name);

/* There is none of that name, but others.  Return: -ENOENT. */
int epitaph_channel_say_names(struct epitaph_answer *answer, const char *name);

/* May a new one be called so?  0, -EINVAL, -EEXIST. */
int epitaph_channel_check_name(struct epitaph_answer *answer, const char *name);

/**
 * epitaph_added_plan() - the shape of rings for @size bytes, all CPUs together
 * @shape: its unit is given, or 0: as fits @size
 *
 * Return: 0; -EINVAL: too few.
 */
int epitaph_added_plan(struct epitaph_answer *answer, struct epitaph_added *shape, u64 size);

/**
 * epitaph_added_take_room() - of the pool, for a shape that was planned
 *
 * The channel has an entry from then on, for epitaph_pool_publish() or epitaph_pool_give().
 *
 * Return: 0; -ENOSPC.
 */
int epitaph_added_take_room(struct epitaph_answer *answer, struct epitaph_added_channel *channel);

/* The bytes that epitaph_added_plan() makes rings of @nr sub-buffers of. */
u64 epitaph_added_size_of(const struct epitaph_added *shape, u32 nr);

/* The same room without counters: the shape has some.  @entry: of the pool.  0; -ENOSPC. */
int epitaph_added_take_rings(struct epitaph_answer *answer, struct epitaph_added *shape, int *entry);

/* Bytes at the beginning of the room of a channel that are its counters. */
u64 epitaph_added_counters(const struct epitaph_added *shape);

/* Why the pool did not give @size bytes, by what it returned.  Return: -ENOSPC. */
int epitaph_added_say_no_room(struct epitaph_answer *answer, u64 size, int err);

/* A ring for each CPU, empty; with the channel they go.  0, -ENOMEM, -EINVAL. */
int epitaph_added_begin(struct epitaph_added_channel *channel);

/* After a stop the pid of each ring is out of date: the next event records it again. */
void epitaph_added_forget_pids(const struct epitaph_added_channel *channel);

#endif /* EPITAPH_CONTROL_ADDED_CHANNEL_H */
