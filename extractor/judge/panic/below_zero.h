/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A check of a count that went below zero: it was taken from too often, or went over the largest number of 32 bits. */
#ifndef EPITAPH_JUDGE_BELOW_ZERO_H
#define EPITAPH_JUDGE_BELOW_ZERO_H

#include "judge/judge.h"

/*
 * Does the instruction in front of a check without words count in memory, and is what stands there below zero, by the dump? @did: "warned" or
 * the like, @end: words behind the claim. Nothing is claimed if not.
 */
void below_zero_claim(struct explain *explain, const char *kind, const char *place, const char *did, const char *end);

#endif
