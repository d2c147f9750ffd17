/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A fault inside of kfree() and the like: what they were given is no memory of the slab allocator. */
#ifndef EPITAPH_JUDGE_FREEING_H
#define EPITAPH_JUDGE_FREEING_H

#include "judge/judge.h"

/*
 * Claims that @giver gave what is no object, if the fault was at the struct page of an address that a register
 * has. False: it was not, or that is not known.
 */
bool freeing_claim(struct explain *explain, const char *giver);

#endif
