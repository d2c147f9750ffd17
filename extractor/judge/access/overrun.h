/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An object whose first bytes are what runs on from the object in front of it: written past the end of that. */
#ifndef EPITAPH_JUDGE_ACCESS_OVERRUN_H
#define EPITAPH_JUDGE_ACCESS_OVERRUN_H

#include "judge/judge.h"

/* Is the bad pointer, of which the claim is, such bytes? Then the claim says so. By the dump alone. */
void overrun_claim(struct explain *explain, const char *place);

/* What lies in front of the object, where its first bytes are bad. */
void overrun_add(struct explain *explain);

#endif
