// SPDX-License-Identifier: GPL-2.0-only
/*
 * A consumer looks whether there is something, and only then says that it sleeps.  The producer's wakeup comes between.
 *
 * pattern: set_current_state() behind the check of the condition
 * upstream: the class of "fix lost wakeup"; Documentation/memory-barriers.txt, SLEEP AND WAKE-UP FUNCTIONS
 * finding: "consumer" sleeps in ring_wait() since a time, and nothing wakes it; that the ring has an entry is more than
 *	can be known
 * never: "producer" as who holds something; a deadlock; a lock; a disk
 * must: ^shown: The task consumer-[0-9]+
 * not: producer|deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/waiter-misses-wakeup.ko
 */
#include "crash.h"

static struct task_struct *waiter;
static int entries;

static noinline void ring_wait(void)
{
	WRITE_ONCE(waiter, current);
	while (!READ_ONCE(entries)) {
		mdelay(50);
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
	entries--;
}

static noinline void ring_put(void)
{
	struct task_struct *task = READ_ONCE(waiter);

	WRITE_ONCE(entries, entries + 1);
	if (task)
		wake_up_process(task);
}

static int consumer(void *unused)
{
	for (;;)
		ring_wait();
	return 0;
}

static int producer(void *unused)
{
	msleep(20);
	ring_put();
	while (!kthread_should_stop())
		msleep(100);
	return 0;
}

static int __init ring_init(void)
{
	run_thread(consumer, NULL, 1, "consumer");
	return run_thread(producer, NULL, 0, "producer");
}
module_init(ring_init);
