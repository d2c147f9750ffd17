/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An interrupt that the kernel disabled, as its handlers did not take it: what they complete does not come any more. */
#ifndef EPITAPH_JUDGE_DEAD_IRQ_H
#define EPITAPH_JUDGE_DEAD_IRQ_H

#include "judge.h"

/*
 * The claim that @name waits for a completion by the handler @function of module @module, whose interrupt was disabled when it
 * fell asleep, or seconds before. @slept: when it fell asleep. False: it was not.
 */
bool dead_irq_claim(struct explain *explain, const char *name, const char *function, const char *module, u64 slept);

/* The same of any handler of the module, as what is not known. */
void dead_irq_open(struct explain *explain, const char *name, const char *module, u64 slept);

#endif
