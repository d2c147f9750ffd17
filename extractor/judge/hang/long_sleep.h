/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that sleeps for a time (msleep(), schedule_timeout()) which is so long that it began as a number below zero. */
#ifndef EPITAPH_JUDGE_LONG_SLEEP_H
#define EPITAPH_JUDGE_LONG_SLEEP_H

#include "chain_claims.h"

/* The chain ends with one: in the claim, out of the timer on its stack. */
void long_sleep_claim(struct explain *explain, const struct owners *owners);

#endif
