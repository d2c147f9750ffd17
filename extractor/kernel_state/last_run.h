/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * When a task ran last, by the clocks of the run queues.
 *
 * A task has that time by its CPU's clock_task, which does not count interrupts, nor what the host took (kernel/sched/core.c,
 * update_rq_clock_task()). So it lags behind the clock that all CPUs share, never less than before.
 */
#ifndef EPITAPH_KERNEL_STATE_LAST_RUN_H
#define EPITAPH_KERNEL_STATE_LAST_RUN_H

#include "tasks.h"

/* By the clock that all CPUs share, ns: between @from and @to. False: not known. */
bool last_run_read(u64 *from, u64 *to, const struct kernel *kernel, const struct kernel_task *task);

/* The newest of that clock; 0: not known. */
u64 last_run_now(const struct kernel *kernel);

#endif
