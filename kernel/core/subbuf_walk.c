// SPDX-License-Identifier: GPL-2.0-only
/*
 * The words of a sub-buffer, one event after the other.  docs/format.md has them.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include "events/pack.h"
#include "recorder.h"
#include "subbuf_walk.h"

#define MASK_OF(bits)	((1ULL << (bits)) - 1)

static u32 word_at(const struct epitaph_walk *walk, u32 off)
{
	return le32_to_cpu(*(const __le32 *)(walk->data + off));
}

/* The next time from @time on whose low @bits are @low. */
static u64 forward(u64 time, u64 low, u32 bits)
{
	return time + ((low - time) & MASK_OF(bits));
}

static bool skip_claim(struct epitaph_walk *walk, u32 word)
{
	u32 words = (word >> EPITAPH_CLAIM_WORDS_SHIFT) & EPITAPH_CLAIM_WORDS_MASK;
	u64 coarse = word & MASK_OF(EPITAPH_CLAIM_TIME_BITS);
	u64 time = walk->time >> EPITAPH_CLAIM_TIME_SHIFT;

	if (!words || walk->off + words * 4 > walk->size)
		return false;
	if (coarse != (time & MASK_OF(EPITAPH_CLAIM_TIME_BITS)))
		walk->time = forward(time, coarse, EPITAPH_CLAIM_TIME_BITS) <<
			     EPITAPH_CLAIM_TIME_SHIFT;
	walk->off += words * 4;
	return true;
}

bool epitaph_id_is_small(u32 id)
{
	return epitaph_packs() && id >= EPITAPH_ID_SMALL && id <= EPITAPH_ID_SMALL_LAST;
}

/* From the region: the module that had the event may be gone. */
static u32 words_of(u32 id)
{
	const struct epitaph_event_size *sizes;
	size_t size;

	if (id == EPITAPH_ID_PID)
		return 1 + 1;
	if (epitaph_id_is_packed(id))
		return 1 + id - EPITAPH_ID_PID;
	if (epitaph_id_is_small(id))
		return 1;
	if (epitaph_id_is_entry(id))
		return 1 + (id == EPITAPH_ID_TEXT ? EPITAPH_TEXT_WORDS :
			    id == EPITAPH_ID_TASK ? EPITAPH_TASK_WORDS : EPITAPH_VALUE_WORDS);
	sizes = epitaph_section(EPITAPH_SEC_EVENTS, &size);
	if (id < EPITAPH_ID_FIRST || id >= size / sizeof(*sizes) ||
	    le16_to_cpu(sizes[id].id) != id)
		return 0;
	return 1 + le16_to_cpu(sizes[id].words);
}

static bool read_long(struct epitaph_walk *walk, struct epitaph_item *item)
{
	u32 second = word_at(walk, walk->off + 4);

	item->before = item->id == EPITAPH_ID_LONG_TIME ? 3 : 2;
	item->id = second & 0xffff;
	item->words = second >> 16;
	if (item->words < item->before || walk->off + item->words * 4 > walk->size)
		return false;
	if (item->before == 3)
		walk->time = forward(walk->time,
				     (u64)word_at(walk, walk->off + 8) << EPITAPH_TIME_BITS |
				     (item->word & MASK_OF(EPITAPH_TIME_BITS)),
				     EPITAPH_TIME_BITS + 32);
	return true;
}

static bool read_item(struct epitaph_walk *walk, struct epitaph_item *item)
{
	item->off = walk->off;
	item->id = item->word >> EPITAPH_ID_SHIFT;
	item->level = item->word >> EPITAPH_LEVEL_SHIFT & EPITAPH_LEVEL_MASK;
	if (item->level >= EPITAPH_LEVELS)
		return false;
	walk->time = forward(walk->time, item->word, EPITAPH_TIME_BITS);
	if (item->id == EPITAPH_ID_LONG || item->id == EPITAPH_ID_LONG_TIME) {
		if (walk->off + 12 > walk->size || !read_long(walk, item))
			return false;
	} else {
		item->before = 1;
		item->words = words_of(item->id);
	}
	if (!item->words || walk->off + item->words * 4 > walk->size)
		return false;
	walk->off += item->words * 4;
	item->is_silent = epitaph_id_is_packed(item->id) ? !walk->data[item->off + item->before * 4] :
						   item->id < EPITAPH_ID_FIRST;
	return true;
}

int epitaph_walk_next(struct epitaph_walk *walk, struct epitaph_item *item)
{
	while (walk->off + 4 <= walk->size) {
		item->word = word_at(walk, walk->off);
		if (!item->word)
			walk->off += 4;
		else if (item->word >> EPITAPH_ID_SHIFT)
			return read_item(walk, item) ? 1 : -EBADMSG;
		else if (!skip_claim(walk, item->word))
			return -EBADMSG;
	}
	return 0;
}

void epitaph_walk_begin(struct epitaph_walk *walk, const void *sub, u32 size)
{
	walk->data = sub;
	walk->size = size;
	walk->off = sizeof(struct epitaph_sub);
	walk->time = le64_to_cpu(((const struct epitaph_sub *)sub)->time);
}
