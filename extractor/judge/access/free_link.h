/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The allocator's link from a free object to the next one, taken for a pointer. An object that was given out again has it
 * until its owner writes there, if he asked for no zeroes.
 */
#ifndef EPITAPH_JUDGE_FREE_LINK_H
#define EPITAPH_JUDGE_FREE_LINK_H

#include "judge/judge.h"

/* @place: what used it, or called by it. False: it is none. Takes the dump's memory, and the register or instruction. */
bool free_link_claim(struct explain *explain, const char *place);

#endif
