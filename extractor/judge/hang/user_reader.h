/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that went back to user space within rcu_read_lock(). */
#ifndef EPITAPH_JUDGE_HANG_USER_READER_H
#define EPITAPH_JUDGE_HANG_USER_READER_H

#include "judge/judge.h"

/* The claim, if the task @pid, for which RCU waits, was in user space by the kernel's own dump of it. Of x86-64. */
bool user_reader_claim(struct explain *explain, u64 pid, bool has_others);

#endif
