/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU that spins for a lock although no other CPU does anything: what it interrupted holds it, or code that is gone. */
#ifndef EPITAPH_JUDGE_OWN_LOCK_H
#define EPITAPH_JUDGE_OWN_LOCK_H

#include "judge.h"

/*
 * After the claim that CPU @cpu waits for a spinlock in @place, of a softirq or an interrupt with @what, and of the
 * task itself with NULL: says more of who holds it.
 */
void own_lock_add(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task);

#endif
