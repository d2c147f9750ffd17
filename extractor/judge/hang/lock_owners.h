/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds what a blocked task waits for, out of the kernel's memory in a vmcore. */
#ifndef EPITAPH_JUDGE_LOCK_OWNERS_H
#define EPITAPH_JUDGE_LOCK_OWNERS_H

#include "judge/judge.h"

/**
 * lock_owners_add() - follow the waits of a task to their end
 * @pids: of the task, and of nr - 1 others that hang
 *
 * Adds what each task on the way waits for, and who holds it, as evidence; the claim names the cycle,
 * or the task at the end.  Of the others what each waits for is evidence.
 *
 * Return: false: there is no memory, no wait proves itself, or the last lock's owner is not there.
 */
bool lock_owners_add(struct explain *explain, const u64 *pids, u32 nr);

#endif
