/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that waits for a work item of a workqueue: which one, by the barrier that flush_work() put behind it. */
#ifndef EPITAPH_KERNEL_STATE_WORK_WAIT_H
#define EPITAPH_KERNEL_STATE_WORK_WAIT_H

#include "waits.h"

/**
 * struct work_wait - the work item, which has not begun to run
 * @function: of the work item, by its symbol
 * @queue: the name of its workqueue
 * @cpu: on which it has to run; negative: on any
 * @runs: the function of the same workqueue that the task itself runs; "": none
 * @is_ordered: the workqueue runs one work item at a time
 * @is_due: it stands on the list of what workers take next; false: it is held back, or that is not known
 */
struct work_wait {
	char function[KERNEL_SYMBOL_MAX];
	char queue[32];
	s32 cpu;
	char runs[KERNEL_SYMBOL_MAX];
	bool is_ordered;
	bool is_due;
};

/* False: @task does not wait for a work item by @wait, or the item runs, or the types are not there. */
bool work_wait_read(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task,
		    const struct kernel_wait *wait);

#endif
