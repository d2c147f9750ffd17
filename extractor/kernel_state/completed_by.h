/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Who has to complete a completion, where the memory says so: the worker that runs the work item which
 * flush_work() waits for, or the thread whose end kthread_stop() waits for.
 */
#ifndef EPITAPH_KERNEL_STATE_COMPLETED_BY_H
#define EPITAPH_KERNEL_STATE_COMPLETED_BY_H

#include "waits.h"

/* Fills in owner, owner_kind and work of @wait, for which @task waits; leaves them if it is not known. */
void completed_by(const struct kernel_tasks *tasks, const struct kernel_task *task, struct kernel_wait *wait);

#endif
