/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who holds what, as the log says it of hung tasks: the kernel's own lines since 6.15, the recorder's before. */
#ifndef EPITAPH_JUDGE_HANG_SAID_OWNERS_H
#define EPITAPH_JUDGE_HANG_SAID_OWNERS_H

#include "judge/judge.h"

/*
 * The claim of the chain that the lines make, from the task @pid on, or of a deadlock that they show where there is none.
 * @only_deadlock: the memory knows more of all else
 */
bool said_owners_claim(struct explain *explain, u64 pid, bool only_deadlock);

#endif
