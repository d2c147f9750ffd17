/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A CPU that spins for a lock although no other CPU does anything: what it interrupted holds it, or code that is gone. */
#ifndef EPITAPH_JUDGE_OWN_LOCK_H
#define EPITAPH_JUDGE_OWN_LOCK_H

#include "judge/judge.h"

/*
 * After the claim that CPU @cpu waits for a spinlock in @place, of a softirq or an interrupt with @what, and of the
 * task itself with NULL: says more of who holds it.
 *
 * Return: it is known, or it is none.
 */
bool own_lock_add(struct explain *explain, u32 cpu, const char *what, const char *place, const char *task);

/*
 * Notes that the memory of the lock that the CPU of the report spins for has what no spinlock has: it was overwritten or
 * freed. False: that is not so, or not known. Takes the memory of the dump.
 */
bool own_lock_is_none(struct explain *explain);

#endif
