/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Tasks that wait for each other in a circle. */
#ifndef EPITAPH_JUDGE_LOCK_CYCLE_H
#define EPITAPH_JUDGE_LOCK_CYCLE_H

#include "owners.h"

/* The claim of a chain that is one. */
void lock_cycle_claim(struct explain *explain, const struct owners *owners);

/* Notes each that is sure of a machine that was made to crash. */
void lock_cycle_note(struct explain *explain, const struct owners *owners);

#endif
