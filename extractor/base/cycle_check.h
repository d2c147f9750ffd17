/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list in a dump may lead back into itself.  Of the places that a walk passed one is kept,
 * and another one after twice as many: a list that comes back meets it, once all of it was seen.
 */
#ifndef EPITAPH_BASE_CYCLE_CHECK_H
#define EPITAPH_BASE_CYCLE_CHECK_H

#include "types.h"

/**
 * struct passed - the place that is kept
 * @place: one that no walk comes to, to begin with
 */
struct passed {
	u64 place;
	u64 steps, until;
};

static inline bool passed_before(struct passed *passed, u64 place)
{
	if (place == passed->place)
		return true;
	if (passed->steps++ < passed->until)
		return false;
	*passed = (struct passed){ .place = place, .until = 2 * passed->until + 1 };
	return false;
}

#endif
