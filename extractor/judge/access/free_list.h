/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The slab allocator's lists of free objects, of which an entry had a wrong pointer. */
#ifndef EPITAPH_JUDGE_FREE_LIST_H
#define EPITAPH_JUDGE_FREE_LIST_H

#include "judge/judge.h"

/* Did the function that died take an object from a list of free ones, by a pointer in it? */
bool free_list_is_walked(const struct explain *explain);

/* The allocator followed a pointer in a free object: whose request it was does not matter. */
void free_list_claim(struct explain *explain);

#endif
