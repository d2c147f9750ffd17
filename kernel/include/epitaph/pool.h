/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Room for channels that are added while recording, and the table of these channels.  Builds
 * in user space as well; docs/channels.md says what a CPU leaves that stops between any two
 * stores.
 */
#ifndef _EPITAPH_POOL_H
#define _EPITAPH_POOL_H

#include <epitaph/layout.h>

/**
 * struct epitaph_pool - of the generation that is recorded into
 * @base: of the generation
 * @salt: of it
 * @off: of the pool, in the generation
 * @size: bytes
 * @table: in the region, EPITAPH_MAX_ADDED entries
 * @taken: what the entries have of the pool; a size of 0: the entry is free
 *
 * All decisions read @taken, in ordinary memory: the table is only written.  The callers
 * serialize all calls.
 */
struct epitaph_pool {
	u8	*base;
	u64	salt;
	u64	off;
	u64	size;
	struct epitaph_added *table;
	struct {
		u64	off;
		u64	size;
	} taken[EPITAPH_MAX_ADDED];
};

/* @base: the generation as @plan has it. */
void epitaph_pool_init(struct epitaph_pool *pool, const struct epitaph_layout *plan,
		       void *base, u64 salt);

/**
 * epitaph_pool_take() - room for a channel
 * @size: bytes; whole pages are given
 * @off: where in the generation, set on return; a multiple of EPITAPH_PAGE
 *
 * The region says nothing of it yet.
 *
 * Return: the entry, for the functions below; -ENOSPC: no such room, see
 *	epitaph_pool_largest(); -EMFILE: no entry is free.
 */
int epitaph_pool_take(struct epitaph_pool *pool, u64 size, u64 *off);

/**
 * epitaph_pool_publish() - from here on a reader finds the channel
 * @entry: of epitaph_pool_take()
 * @added: all but the check is filled in; its rings have begun, empty
 */
void epitaph_pool_publish(struct epitaph_pool *pool, int entry, const struct epitaph_added *added);

/**
 * epitaph_pool_give() - a reader finds the channel no more, and its room is free
 * @entry: of epitaph_pool_take(), published or not; its rings have no writer any more
 */
void epitaph_pool_give(struct epitaph_pool *pool, int entry);

/**
 * epitaph_pool_retract() - a reader finds the channel no more, and its room stays taken
 * @entry: as for epitaph_pool_give()
 */
void epitaph_pool_retract(struct epitaph_pool *pool, int entry);

/**
 * epitaph_pool_shrink() - an entry that no reader finds needs less
 * @size: bytes, at most what it has
 */
void epitaph_pool_shrink(struct epitaph_pool *pool, int entry, u64 size);

/* Free bytes; the largest contiguous part of them. */
u64 epitaph_pool_free(const struct epitaph_pool *pool);
u64 epitaph_pool_largest(const struct epitaph_pool *pool);

#endif /* _EPITAPH_POOL_H */
