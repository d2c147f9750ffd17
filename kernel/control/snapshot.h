/* SPDX-License-Identifier: GPL-2.0-only */
/* A copy of a channel's newest events, into the pool, while they are recorded. */
#ifndef EPITAPH_CONTROL_SNAPSHOT_H
#define EPITAPH_CONTROL_SNAPSHOT_H

#include <epitaph/pool.h>

/**
 * struct epitaph_source - what to copy
 * @id: of the channel
 * @rings: by CPU; NULL: the one ring of user marks
 */
struct epitaph_source {
	u32 id;
	struct epitaph_ring __percpu *rings;
};

/* Bytes of the pool that a copy takes at least. */
u64 epitaph_snapshot_least(const struct epitaph_source *source);

/**
 * epitaph_snapshot() - copy it
 * @shape: gets where the copy is, for epitaph_pool_publish()
 * @size: bytes of the pool at most; 0: half of what is free in one piece
 * @entry: of the pool, set on return
 *
 * First the newest sub-buffer of all CPUs, each as far as its events are committed and
 * vouched for; then those before them, as far as they fit and are not overwritten
 * meanwhile.  Writers do not notice.
 *
 * Context: process; the pool is the caller's.
 * Return: 0; -ENOSPC, -EMFILE; -EAGAIN: nothing could be copied.
 */
int epitaph_snapshot(struct epitaph_pool *pool, const struct epitaph_source *source,
		     struct epitaph_added *shape, u64 size, int *entry);

#endif /* EPITAPH_CONTROL_SNAPSHOT_H */
