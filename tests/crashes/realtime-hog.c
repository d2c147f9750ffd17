// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A thread at real-time priority polls for ever on CPU 1, and no other task runs
 * there.  A work item of that CPU is never run, and "flusher", which waits for it, is reported hung.
 *
 * pattern: real-time thread without a sleep starves the CPU's kworkers
 * finding: hung task waits for a work of CPU 1; there, "poller" at real-time priority has run without
 *	a break
 * never: "flusher" or the kworker as the cause; a lock; the workqueue
 * must: ^likely: .*flusher-[0-9]+ waits for the work item work_fn\(\).*CPU 1: .*real-time task poller-
 * not: deadlock|holds
 * guest: echo -1 >/proc/sys/kernel/sched_rt_runtime_us
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/realtime-hog.ko
 */
#include "crash.h"

static struct work_struct work;

static void work_fn(struct work_struct *unused)
{
}

static noinline void poll_mailbox(void)
{
	static u32 mailbox;

	while (!READ_ONCE(mailbox))
		cond_resched();
}

static int poller(void *unused)
{
	sched_set_fifo(current);
	msleep(300);
	poll_mailbox();
	return 0;
}

static int flusher(void *unused)
{
	msleep(900);
	schedule_work_on(1, &work);
	flush_work(&work);
	return 0;
}

static int __init hog_init(void)
{
	INIT_WORK(&work, work_fn);
	run_thread(flusher, NULL, 0, "flusher");
	return run_thread(poller, NULL, 1, "poller");
}
module_init(hog_init);
