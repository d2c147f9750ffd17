/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a module's timers and work items did around the time at which a task fell asleep for good. */
#ifndef EPITAPH_JUDGE_QUIET_WORK_H
#define EPITAPH_JUDGE_QUIET_WORK_H

#include "judge.h"

/*
 * Of the module that @place is in, where the task @pid hangs: the only one whose timer still runs, which queued it each time. It is
 * evidence; if it ran in that very worker, the page asks whether it waits behind what that one runs.
 */
void quiet_work_add(struct explain *explain, u64 pid, struct report_text place);

/*
 * Of the same module the only timer that runs on as before, and whose function has woken another task since then: it may be what is to
 * wake this one. It is evidence, and asked about.
 */
void busy_timer_add(struct explain *explain, u64 pid, struct report_text place);

#endif
