/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module gave to the timer code, and is no timer. */
#ifndef EPITAPH_JUDGE_UNSET_TIMER_H
#define EPITAPH_JUDGE_UNSET_TIMER_H

#include "judge.h"

/*
 * The timer code looks for the base of the CPU that a timer's flags name. Of a module's function that called it: does what it gave name a CPU
 * that the machine does not have, by the dump?
 */
void unset_timer_claim(struct explain *explain);

#endif
