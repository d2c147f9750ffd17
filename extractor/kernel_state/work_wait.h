/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A task that waits for a work item of a workqueue: which one, by the barrier that flush_work() put behind it. */
#ifndef EPITAPH_KERNEL_STATE_WORK_WAIT_H
#define EPITAPH_KERNEL_STATE_WORK_WAIT_H

#include "waits.h"

/**
 * struct work_wait - the work item, which has not begun to run
 * @item: address of the work item
 * @function: of the work item, by its symbol
 * @queue: the name of its workqueue
 * @cpu: on which it has to run; negative: on any
 * @runs: the function of the same workqueue, on the same CPU, that the task itself runs; "": none
 * @is_runs_known: the dump has what the task runs
 * @is_ordered: the workqueue runs one work item at a time
 * @is_due: it stands on the list of what workers take next; false: it is held back, or that is not known
 * @pool: the address of the pool whose workers are to run it
 */
struct work_wait {
	u64 item;
	char function[KERNEL_SYMBOL_MAX];
	char queue[32];
	s32 cpu;
	char runs[KERNEL_SYMBOL_MAX];
	bool is_runs_known;
	bool is_ordered;
	bool is_due;
	u64 pool;
};

/**
 * struct work_hog - a worker that runs, and for that long keeps all other work items of its pool waiting
 * @task: of the worker
 * @work: address of the work item that it runs
 * @function: of that, by its symbol
 */
struct work_hog {
	const struct kernel_task *task;
	u64 work;
	char function[KERNEL_SYMBOL_MAX];
};

/* False: @task does not wait for a work item by @wait, or the item runs, or the types are not there. */
bool work_wait_read(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task,
		    const struct kernel_wait *wait);

/* The only worker of the pool of @work, bound to a CPU, that runs and counts as running; false: none does, or more. */
bool work_hog_find(struct work_hog *ret, const struct kernel *kernel, const struct kernel_tasks *tasks,
		   const struct work_wait *work);

/**
 * work_wait_behind() - does a work item stand behind what @task runs itself, on a workqueue that runs one at a time?
 * @ret: gets the work item, the workqueue and what @task runs
 * @function: of the work item, its address
 */
bool work_wait_behind(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task, u64 function);

#endif
