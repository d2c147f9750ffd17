/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a ring is. The memory of an added channel's ring may become another one's: docs/sizes.md. */
#ifndef EPITAPH_LIVE_RING_PLACE_H
#define EPITAPH_LIVE_RING_PLACE_H

#include "recording/recording.h"

/**
 * struct live_place - the place of a ring
 * @channel: terminated
 * @id: of an added channel, with @is_added; all that follow are of one
 * @index: of the ring in its channel
 * @moves: how many times it has moved
 * @entry: offset of the entry that says so; @check: that of the entry
 */
struct live_place {
	u64 off;
	u64 size;
	u32 unit;
	u32 cpu;
	char channel[33];
	bool is_added;
	u32 id;
	u32 index;
	u32 moves;
	u64 entry;
	__le64 check;
};

/*
 * Finds the place of an added channel's ring that has moved least, but @least times. While a ring
 * moves it has two, and what was recorded before is whole in the earlier one only. False: there is
 * none.
 */
bool live_place_find(struct live_place *place, const struct generation *generation, u32 least);

/* Is what was read before this call of that ring? */
bool live_place_stands(const struct live_place *place, const struct generation *generation);

#endif
