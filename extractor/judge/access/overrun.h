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

/* What lies in front of the object, where its first bytes are bad. */
void overrun_add(struct explain *explain);

#endif
