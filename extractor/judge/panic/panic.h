/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judges of what the kernel decided, what a user asked for, and what ended without a word. */
#ifndef EPITAPH_JUDGE_PANIC_H
#define EPITAPH_JUDGE_PANIC_H

#include "judge/judge.h"

bool judge_check(struct explain *explain);
bool judge_end(struct explain *explain);
bool judge_filesystem(struct explain *explain);
bool judge_init(struct explain *explain);
bool judge_machine_check(struct explain *explain);
bool judge_memory(struct explain *explain);
bool judge_panic_call(struct explain *explain);
bool judge_root(struct explain *explain);
bool judge_sysrq(struct explain *explain);

/* The line "BUG: ..." that was printed, alone, right before a warning without a text of its own; NULL: none was. */
const struct kernel_report *reason_of_warning(const struct explain *explain);

#endif
