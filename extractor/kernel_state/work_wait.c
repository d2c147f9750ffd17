// SPDX-License-Identifier: GPL-2.0-or-later
#include "work_wait.h"

#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/vmem.h"

#define PWQ_MASK	(~0xffULL)	/* WORK_STRUCT_WQ_DATA_MASK, include/linux/workqueue.h */
/* A worker with one of these keeps no other one from running: PREP, CPU_INTENSIVE, UNBOUND, REBOUND of kernel/workqueue.c. */
#define WORKER_NOT_RUNNING	(1U << 3 | 1U << 6 | 1U << 7 | 1U << 8)
#define MOST_BARRIERS	100	/* of one item */
#define MOST_ITEMS	10000	/* of one list */

/* The number at member @path of the @type at @va. */
static bool member(const struct kernel *kernel, u64 va, const char *type, const char *path, u64 *ret)
{
	struct btf_member_place place;

	return kernel_btf_member(kernel->ktypes, type, path, &place) && place.size <= 8 &&
	       vmem_number(kernel->vmem, va + place.offset, place.size, ret);
}

/* kernel/workqueue.c: what the worker_private of a worker's task leads to. */
static bool worker_of(const struct kernel *kernel, const struct kernel_task *task, u64 *worker)
{
	u64 kthread;

	return task->flags & KERNEL_TASK_WORKER && member(kernel, task->va, "task_struct", "worker_private", &kthread) &&
	       member(kernel, kthread, "kthread", "data", worker);
}

/* Of a task that is a worker of the pool_workqueue @pwq: what it runs. */
static void read_runs(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task, u64 pwq)
{
	u64 worker, own, function;

	if (!worker_of(kernel, task, &worker) || !member(kernel, worker, "worker", "current_pwq", &own) ||
	    !member(kernel, worker, "worker", "current_func", &function))
		return;
	ret->is_runs_known = true;
	if (own == pwq)
		kernel_symbol(kernel, function, ret->runs, sizeof(ret->runs));
}

/* Does the list that @work is on lead to that of @pool? */
static bool is_on_list(const struct kernel *kernel, u64 pool, u64 work)
{
	struct btf_member_place list, entry;
	u64 at;

	if (!kernel_btf_member(kernel->ktypes, "worker_pool", "worklist", &list) ||
	    !kernel_btf_member(kernel->ktypes, "work_struct", "entry", &entry))
		return false;
	at = work + entry.offset;
	for (u32 i = 0; i < MOST_ITEMS && vmem_number(kernel->vmem, at, 8, &at); i++)
		if (at == pool + list.offset)
			return true;
	return false;
}

static bool read_queue(struct work_wait *ret, const struct kernel *kernel, u64 pwq, u64 work)
{
	struct btf_member_place name;
	u64 pool, cpu, queue, active = 0;

	if (!member(kernel, pwq, "pool_workqueue", "pool", &pool) ||
	    !member(kernel, pool, "worker_pool", "cpu", &cpu) ||
	    !member(kernel, pwq, "pool_workqueue", "wq", &queue) ||
	    !kernel_btf_member(kernel->ktypes, "workqueue_struct", "name", &name) ||
	    vmem_string(kernel->vmem, queue + name.offset, ret->queue, sizeof(ret->queue)) <= 0)
		return false;
	ret->item = work;
	ret->cpu = (s32)(u32)cpu;
	ret->pool = pool;
	/* It moved in 6.9. */
	if (!member(kernel, pwq, "pool_workqueue", "max_active", &active))
		member(kernel, queue, "workqueue_struct", "max_active", &active);
	ret->is_ordered = active == 1;
	ret->is_due = is_on_list(kernel, pool, work);
	return true;
}

/* The item at @target, or the one in front of it that is no barrier of another one who waits. */
static bool find_item(struct work_wait *ret, const struct kernel *kernel, u32 entry, u64 pwq, u64 *target)
{
	u64 data, function, before;

	for (u32 i = 0; i < MOST_BARRIERS; i++) {
		if (!member(kernel, *target, "work_struct", "data", &data) || (data & PWQ_MASK) != pwq ||
		    !member(kernel, *target, "work_struct", "func", &function) ||
		    !kernel_symbol(kernel, function, ret->function, sizeof(ret->function)))
			return false;
		if (strncmp(ret->function, "wq_barrier_func", 15))
			return true;
		if (!member(kernel, *target, "work_struct", "entry.prev", &before))
			return false;
		*target = before - entry;
	}
	return false;
}

bool work_wait_read(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task,
		    const struct kernel_wait *wait)
{
	struct btf_member_place done, entry;
	u64 barrier, owner, before, data, target;

	memset(ret, 0, sizeof(*ret));
	if (wait->kind != KWAIT_COMPLETION || !kernel->ktypes ||
	    !kernel_btf_member(kernel->ktypes, "wq_barrier", "done", &done) ||
	    !kernel_btf_member(kernel->ktypes, "work_struct", "entry", &entry))
		return false;
	barrier = wait->lock - done.offset;
	/* The barrier names who waits; it stands right behind the work item, in the same workqueue. */
	if (!member(kernel, barrier, "wq_barrier", "task", &owner) || owner != task->va ||
	    !member(kernel, barrier, "work_struct", "data", &data) ||
	    !member(kernel, barrier, "work_struct", "entry.prev", &before))
		return false;
	target = before - entry.offset;
	if (!find_item(ret, kernel, entry.offset, data & PWQ_MASK, &target) || !read_queue(ret, kernel, data & PWQ_MASK, target))
		return false;
	read_runs(ret, kernel, task, data & PWQ_MASK);
	return true;
}

bool work_hog_find(struct work_hog *ret, const struct kernel *kernel, const struct kernel_tasks *tasks,
		   const struct work_wait *work)
{
	u64 worker, pool, flags, function;
	u32 nr = 0;

	for (u32 i = 0; work->cpu >= 0 && i < tasks->nr; i++) {
		const struct kernel_task *task = &tasks->list[i];

		if ((!task->is_running && task->state != 'R') || !worker_of(kernel, task, &worker) ||
		    !member(kernel, worker, "worker", "pool", &pool) || pool != work->pool ||
		    !member(kernel, worker, "worker", "flags", &flags) || flags & WORKER_NOT_RUNNING ||
		    !member(kernel, worker, "worker", "current_work", &ret->work) || !ret->work ||
		    !member(kernel, worker, "worker", "current_func", &function) ||
		    !kernel_symbol(kernel, function, ret->function, sizeof(ret->function)))
			continue;
		ret->task = task;
		nr++;
	}
	return nr == 1;
}

bool work_wait_behind(struct work_wait *ret, const struct kernel *kernel, const struct kernel_task *task, u64 function)
{
	struct btf_member_place waiting, entry;
	u64 worker, pwq, head, node, data, func;

	memset(ret, 0, sizeof(*ret));
	if (!kernel->ktypes || !worker_of(kernel, task, &worker) || !member(kernel, worker, "worker", "current_pwq", &pwq) || !pwq ||
	    /* Before 5.14 it had another name. */
	    (!kernel_btf_member(kernel->ktypes, "pool_workqueue", "inactive_works", &waiting) &&
	     !kernel_btf_member(kernel->ktypes, "pool_workqueue", "delayed_works", &waiting)) ||
	    !kernel_btf_member(kernel->ktypes, "work_struct", "entry", &entry))
		return false;
	head = node = pwq + waiting.offset;
	for (u32 i = 0; i < MOST_ITEMS && vmem_number(kernel->vmem, node, 8, &node) && node != head; i++) {
		u64 work = node - entry.offset;

		if (!member(kernel, work, "work_struct", "data", &data) || (data & PWQ_MASK) != pwq ||
		    !member(kernel, work, "work_struct", "func", &func))
			return false;
		if (func != function)
			continue;
		read_runs(ret, kernel, task, pwq);
		return kernel_symbol(kernel, function, ret->function, sizeof(ret->function)) && read_queue(ret, kernel, pwq, work) && ret->is_ordered &&
		       *ret->runs;
	}
	return false;
}
