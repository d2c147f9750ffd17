// SPDX-License-Identifier: GPL-2.0-or-later
#include "completed_by.h"

#include <string.h>

#include "linux_kernel/btf.h"
#include "linux_kernel/kallsyms.h"
#include "linux_kernel/vmem.h"

#define PWQ_MASK	(~0xffULL)	/* WORK_STRUCT_WQ_DATA_MASK, include/linux/workqueue.h */
#define MOST_BARRIERS	100	/* of one item */
#define MOST_CPUS	8192

/* Is the work item one that only wakes who waits for the item in front of it? */
static bool is_barrier(const struct kernel *kernel, u64 work)
{
	char name[KERNEL_SYMBOL_MAX];
	u64 function;

	return kernel_state_member(kernel, "work_struct", "func", work, &function) &&
	       kernel_symbol(kernel, function, name, sizeof(name)) && !strncmp(name, "wq_barrier_func+", 16);
}

/* Is that the worker of a task, and does it run an item of @pwq? */
static const struct kernel_task *task_of_worker(const struct kernel_tasks *tasks, u64 worker, u64 pwq, u64 *function)
{
	const struct kernel *kernel = tasks->kernel;
	const struct kernel_task *task;
	u64 va, kthread, own, item, current_pwq;

	if (!kernel_state_member(kernel, "worker", "task", worker, &va))
		return NULL;
	task = kernel_tasks_find(tasks, va);
	if (!task || !(task->flags & KERNEL_TASK_WORKER) ||
	    !kernel_state_member(kernel, "task_struct", "worker_private", va, &kthread) ||
	    !kernel_state_member(kernel, "kthread", "data", kthread, &own) || own != worker ||
	    !kernel_state_member(kernel, "worker", "current_work", worker, &item) || !item ||
	    !kernel_state_member(kernel, "worker", "current_pwq", worker, &current_pwq) || current_pwq != pwq ||
	    !kernel_state_member(kernel, "worker", "current_func", worker, function))
		return NULL;
	return task;
}

/* "poll_link [module]" of "poll_link+0x0/0x40 [module]". */
static void name_work(const struct kernel *kernel, u64 function, struct kernel_wait *wait)
{
	size_t plus;
	const char *module;

	if (!kernel_symbol(kernel, function, wait->work, sizeof(wait->work))) {
		wait->work[0] = '\0';
		return;
	}
	plus = strcspn(wait->work, "+");
	module = strchr(wait->work, ' ');
	memmove(wait->work + plus, module ?: "", module ? strlen(module) + 1 : 1);
}

/*
 * The barrier that @task waits for stands first on the worker's own list, or only other barriers are in front of
 * it: then the item runs. kernel/workqueue.c, insert_wq_barrier().
 */
static bool take_worker(const struct kernel_tasks *tasks, const struct kernel_task *task, struct kernel_wait *wait)
{
	const struct kernel *kernel = tasks->kernel;
	struct btf_member_place done, entry, scheduled;
	u64 work, data, who, before, function;

	if (!kernel_btf_member(kernel->ktypes, "wq_barrier", "done", &done) ||
	    !kernel_btf_member(kernel->ktypes, "work_struct", "entry", &entry) ||
	    !kernel_btf_member(kernel->ktypes, "worker", "scheduled", &scheduled))
		return false;
	work = wait->lock - done.offset;
	if (!kernel_state_member(kernel, "wq_barrier", "task", work, &who) || who != task->va || !is_barrier(kernel, work) ||
	    !kernel_state_member(kernel, "work_struct", "data", work, &data))
		return false;
	for (u32 i = 0; i < MOST_BARRIERS; i++) {
		if (!kernel_state_member(kernel, "work_struct", "entry.prev", work, &before))
			return false;
		wait->owner = task_of_worker(tasks, before - scheduled.offset, data & PWQ_MASK, &function);
		if (wait->owner)
			break;
		work = before - entry.offset;
		if (!is_barrier(kernel, work))
			return false;
	}
	if (!wait->owner)
		return false;
	wait->owner_kind = KOWNER_WORKER;
	name_work(kernel, function, wait);
	return true;
}

/*
 * Who flushes a kthread_worker has put an item behind those that it waits for, and sleeps until the worker's thread has come to that.
 * kernel/kthread.c, kthread_flush_work(), kthread_flush_worker(); kthread_cancel_work_sync() calls the first.
 */
static bool take_kthread_worker(const struct kernel_tasks *tasks, const struct kernel_task *task, struct kernel_wait *wait)
{
	const struct kernel *kernel = tasks->kernel;
	struct btf_member_place done;
	char name[KERNEL_SYMBOL_MAX];
	u64 item, function, worker, thread, current;

	if (!kernel_btf_member(kernel->ktypes, "kthread_flush_work", "done", &done))
		return false;
	item = wait->lock - done.offset;
	if (item - task->stack >= tasks->stack_size ||
	    !kernel_state_member(kernel, "kthread_work", "func", item, &function) ||
	    !kernel_symbol(kernel, function, name, sizeof(name)) || strncmp(name, "kthread_flush_work_fn+", 22) ||
	    !kernel_state_member(kernel, "kthread_work", "worker", item, &worker) ||
	    !kernel_state_member(kernel, "kthread_worker", "task", worker, &thread) ||
	    !kernel_state_member(kernel, "kthread_worker", "current_work", worker, &current) || !current ||
	    !kernel_state_member(kernel, "kthread_work", "func", current, &function))
		return false;
	wait->owner = kernel_tasks_find(tasks, thread);
	if (!wait->owner)
		return false;
	wait->owner_kind = KOWNER_WORKER;
	name_work(kernel, function, wait);
	return true;
}

/* A thread completes what its vfork_done points to when it ends. */
static void take_ending(const struct kernel_tasks *tasks, const struct kernel_task *task, struct kernel_wait *wait)
{
	u64 done;

	for (u32 i = 0; i < tasks->nr; i++) {
		const struct kernel_task *other = &tasks->list[i];

		if (other == task || !(other->flags & KERNEL_TASK_KTHREAD) ||
		    !kernel_state_member(tasks->kernel, "task_struct", "vfork_done", other->va, &done) || done != wait->lock)
			continue;
		wait->owner = other;
		wait->owner_kind = KOWNER_ENDING;
		return;
	}
}

/* A thread completes "parked" of its struct kthread when it has parked itself: kernel/kthread.c. */
static bool take_parking(const struct kernel_tasks *tasks, struct kernel_wait *wait)
{
	struct btf_member_place parked;
	u64 thread;

	if (!kernel_btf_member(tasks->kernel->ktypes, "kthread", "parked", &parked))
		return false;
	for (u32 i = 0; i < tasks->nr; i++) {
		const struct kernel_task *task = &tasks->list[i];

		if (!(task->flags & KERNEL_TASK_KTHREAD) || !kernel_state_member(tasks->kernel, "task_struct", "worker_private", task->va, &thread) || !thread ||
		    thread + parked.offset != wait->lock)
			continue;
		wait->owner = task;
		wait->owner_kind = KOWNER_PARKING;
		return true;
	}
	return false;
}

/* Who takes a CPU up or down waits for the thread of that CPU: kernel/cpu.c, struct cpuhp_cpu_state. */
static bool take_hotplug(const struct kernel_tasks *tasks, struct kernel_wait *wait)
{
	const struct kernel *kernel = tasks->kernel;
	struct btf_member_place up, down;
	u64 state, va, thread;

	if (!kallsyms_address(kernel->kallsyms, "cpuhp_state", &state) ||
	    !kernel_btf_member(kernel->ktypes, "cpuhp_cpu_state", "done_up", &up) ||
	    !kernel_btf_member(kernel->ktypes, "cpuhp_cpu_state", "done_down", &down))
		return false;
	for (u32 cpu = 0; cpu < MOST_CPUS && kernel_percpu_at(kernel, state, cpu, &va); cpu++) {
		if (wait->lock != va + up.offset && wait->lock != va + down.offset)
			continue;
		if (!kernel_state_member(kernel, "cpuhp_cpu_state", "thread", va, &thread))
			return false;
		wait->owner = kernel_tasks_find(tasks, thread);
		if (wait->owner)
			wait->owner_kind = KOWNER_HOTPLUG;
		return wait->owner;
	}
	return false;
}

void completed_by(const struct kernel_tasks *tasks, const struct kernel_task *task, struct kernel_wait *wait)
{
	if (wait->kind != KWAIT_COMPLETION || !tasks->kernel->ktypes || wait->owner)
		return;
	if (!take_worker(tasks, task, wait) && !take_kthread_worker(tasks, task, wait) && !take_parking(tasks, wait) &&
	    !take_hotplug(tasks, wait))
		take_ending(tasks, task, wait);
}
