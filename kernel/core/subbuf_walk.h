/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A walk over the events of a sub-buffer without a writer: a copy.
 */
#ifndef EPITAPH_CORE_SUBBUF_WALK_H
#define EPITAPH_CORE_SUBBUF_WALK_H

#include <linux/types.h>
#include <epitaph/format.h>

/**
 * struct epitaph_walk - where it is
 * @data: the sub-buffer
 * @size: of it
 * @off: of what comes next
 * @time: of the event given last, in units of the format
 */
struct epitaph_walk {
	const u8	*data;
	u32		size;
	u32		off;
	u64		time;
};

/**
 * struct epitaph_item - one event
 * @off: in the sub-buffer
 * @word: its first
 * @id: what it is
 * @level: nesting level of its writer
 * @before: words before the payload
 * @words: all of them
 * @is_silent: not an event of its own: see docs/format.md and docs/packing.md
 */
struct epitaph_item {
	u32		off;
	u32		word;
	u32		id;
	u32		level;
	u32		before;
	u32		words;
	bool		is_silent;
};

static inline bool epitaph_id_is_packed(u32 id)
{
	return id >= EPITAPH_ID_PACKED && id <= EPITAPH_ID_PACKED_LAST;
}

/* What packed events refer to. */
static inline bool epitaph_id_is_entry(u32 id)
{
	return id == EPITAPH_ID_TEXT || id == EPITAPH_ID_VALUE || id == EPITAPH_ID_TASK;
}

/* Not in a generation that packs none. */
bool epitaph_id_is_small(u32 id);

/**
 * epitaph_walk_begin() - before the first event
 * @walk: filled in
 * @sub: what is walked, aligned to 8
 * @size: its bytes
 *
 * Context: any.
 */
void epitaph_walk_begin(struct epitaph_walk *walk, const void *sub, u32 size);

/**
 * epitaph_walk_next() - the next event
 * @walk: moved on
 * @item: filled in
 *
 * Claims without a written event are passed over.
 *
 * Context: any.
 * Return: 1; 0 at the end; -EBADMSG: this is no event, and the place of the next one is
 * unknown.
 */
int epitaph_walk_next(struct epitaph_walk *walk, struct epitaph_item *item);

#endif /* EPITAPH_CORE_SUBBUF_WALK_H */
