/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timer that was started while it was started already. */
#ifndef EPITAPH_JUDGE_STARTED_TIMER_H
#define EPITAPH_JUDGE_STARTED_TIMER_H

#include "judge/judge.h"

/*
 * Of a check of add_timer(): the timer that a register has, if by the trace it was started, and neither ran nor was cancelled since.
 * @kind: of the finding; @by: who called add_timer(); @behind: a sentence behind the claim, or "". False: there is none.
 */
bool started_timer_claim(struct explain *explain, const char *kind, const char *by, const char *behind);

#endif
