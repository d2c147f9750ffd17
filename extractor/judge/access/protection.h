/* SPDX-License-Identifier: GPL-2.0-or-later */
/* General protection faults that name no address. */
#ifndef EPITAPH_JUDGE_PROTECTION_H
#define EPITAPH_JUDGE_PROTECTION_H

#include "judge/judge.h"

/* @place: what the sentence begins with */
void protection_claim(struct explain *explain, const char *place);

#endif
