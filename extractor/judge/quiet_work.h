/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A work item that ran again and again until a task fell asleep for good, and never since. */
#ifndef EPITAPH_JUDGE_QUIET_WORK_H
#define EPITAPH_JUDGE_QUIET_WORK_H

#include "judge.h"

/*
 * Of the module that @place is in, where the task @pid hangs: the only one whose timer still runs, which queued it each time. It is
 * evidence; if it ran in that very worker, the page asks whether it waits behind what that one runs.
 */
void quiet_work_add(struct explain *explain, u64 pid, struct report_text place);

#endif
