// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "consumer" looks whether there is data, and only then says that it sleeps; "producer" put data there and woke
 * it in between.  Producer holds a mutex all the time for which none waits.
 *
 * pattern: set_current_state() behind the check of the condition: a wakeup is lost
 * upstream: the class of open-coded waits (jfs, md, nvme target threads)
 * finding: hung: consumer sleeps in wait_for_data() of this module with none to wake it; it holds and waits for no lock
 * never: producer, or its mutex; a deadlock; I/O
 * must: ^shown: The task consumer-[0-9]+ waited .*wait_for_data\(\)
 * not: producer|deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/woken-before-it-slept.ko
 */
#include "crash.h"

static DEFINE_MUTEX(producer_lock);
static struct task_struct *consumer_task;
static int data;

static noinline void wait_for_data(void)
{
	while (!READ_ONCE(data)) {
		mdelay(50);
		set_current_state(TASK_UNINTERRUPTIBLE);
		schedule();
	}
	WRITE_ONCE(data, 0);
}

static int consumer(void *unused)
{
	consumer_task = current;
	for (;;)
		wait_for_data();
	return 0;
}

static int producer(void *unused)
{
	mutex_lock(&producer_lock);
	msleep(300);
	WRITE_ONCE(data, 1);
	wake_up_process(consumer_task);
	mdelay(20);
	WRITE_ONCE(data, 1);
	wake_up_process(consumer_task);
	for (;;)
		msleep(100);
	return 0;
}

static int __init data_init(void)
{
	run_thread(consumer, NULL, 0, "consumer");
	return run_thread(producer, NULL, 1, "producer");
}
module_init(data_init);
