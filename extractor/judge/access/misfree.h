/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An address within an object that was given to kfree(): the allocator gives out what is behind it anew, twice. */
#ifndef EPITAPH_JUDGE_ACCESS_MISFREE_H
#define EPITAPH_JUDGE_ACCESS_MISFREE_H

#include "judge/judge.h"

/*
 * The trace has that. Behind the claim of a pointer that was NULL or wild: what is open is said by it, if a register of the report points
 * to the page of that object; else it is also found.
 */
void misfree_add(struct explain *explain);

#endif
