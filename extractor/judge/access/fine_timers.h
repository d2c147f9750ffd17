/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Timers of high resolution that were freed or overwritten while they were armed. */
#ifndef EPITAPH_JUDGE_ACCESS_FINE_TIMERS_H
#define EPITAPH_JUDGE_ACCESS_FINE_TIMERS_H

#include "judge/judge.h"

/*
 * The claim, where the walk along a CPU's armed timers came to a pointer that it had read from one of them, by the
 * trace. False: it is not that.
 */
bool fine_timers_claim(struct explain *explain);

#endif
