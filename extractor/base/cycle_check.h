/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A list in a dump may lead back into itself. Brent's algorithm: the walk keeps one place that
 * it passed, and replaces it after twice as many steps; a cycle comes back to it.
 */
#ifndef EPITAPH_BASE_CYCLE_CHECK_H
#define EPITAPH_BASE_CYCLE_CHECK_H

#include "types.h"

/* @place: at first a place that no walk comes to. */
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
