/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An object whose first bytes are what runs on from the object in front of it: written past the end of that. */
#ifndef EPITAPH_JUDGE_ACCESS_OVERRUN_H
#define EPITAPH_JUDGE_ACCESS_OVERRUN_H

#include "judge/judge.h"

/* Is the bad pointer, of which the claim is, such bytes? Then the claim says so. By the dump alone. */
void overrun_claim(struct explain *explain, const char *place);

/*
 * The same of the pointer @pointer at @at in @object, out of which it was read. @module: of which functions are looked for that alone can
 * have written so; NULL: of none. False: nothing runs on into it.
 */
bool overrun_claim_of(struct explain *explain, const char *place, const struct kernel_object *object, u64 at, u64 pointer, const struct kernel_module *module);

/*
 * The claim, if the end of a text was written behind its object: that goes up to its last byte, and the lowest byte alone of the pointer
 * that begins the next object, to which a register points, is 0, where others of its kind have another one.
 */
void overrun_claim_end_of_text(struct explain *explain, const char *place);

/* What lies in front of the object, where its first bytes are bad. */
void overrun_add(struct explain *explain);

#endif
