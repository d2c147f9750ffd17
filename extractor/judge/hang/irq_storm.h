/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU on which one interrupt comes after the other, so that nothing else comes to run. */
#ifndef EPITAPH_JUDGE_IRQ_STORM_H
#define EPITAPH_JUDGE_IRQ_STORM_H

#include "judge/judge.h"

/*
 * After the claim that CPU @cpu, of the report, did nothing else: it was in the same interrupt, at the same place, when the kernel asked
 * and when it was stopped. False: it was not, or one of the two is not known.
 */
bool irq_storm_claim(struct explain *explain, u32 cpu);

#endif
