/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The judges of what the CPU refused, and of what watches accesses. */
#ifndef EPITAPH_JUDGE_ACCESS_H
#define EPITAPH_JUDGE_ACCESS_H

#include "judge/judge.h"

bool judge_access(struct explain *explain);
bool judge_exception(struct explain *explain);
bool judge_sanitizer(struct explain *explain);
bool judge_stack(struct explain *explain);
bool judge_timer(struct explain *explain);
bool judge_unloaded(struct explain *explain);
bool judge_outlived(struct explain *explain);

/* The CPU of the end, if it died in a timer's function or a work item (@runs); NULL: it did not, by the trace. */
const struct history_cpu *timers_died_in(const struct explain *explain);

#endif
