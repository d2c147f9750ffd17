// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A worker thread ends by itself; its owner stops it later, without a reference.
 *
 * pattern: kthread_stop() of a task that is gone
 * upstream: the class of usbip: stub_shutdown_connection(), and others without get_task_struct()
 * finding: reference counter (or freed memory) of the task, by stop_worker() in kthread_stop()
 * never: kthread_stop() itself as at fault; the thread that runs now as the one that put too often
 * must: ^shown: .*kthread_stop\(\) found: refcount_t
 * not: put once too often by
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/thread-stopped-after-its-end.ko
 */
#include "crash.h"

static struct task_struct *worker;

static int work_a_bit(void *unused)
{
	msleep(200);
	return 0;
}

static noinline int stop_worker(struct task_struct *task)
{
	int ret = kthread_stop(task);

	barrier();
	return ret;
}

static int owner(void *unused)
{
	msleep(1500);
	pr_info("worker: %d\n", stop_worker(worker));
	return 0;
}

static int __init worker_init(void)
{
	worker = kthread_run(work_a_bit, NULL, "worker");
	return run_thread(owner, NULL, -1, "owner");
}
module_init(worker_init);
