// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A function puts an entry of its stack on a wait queue, and returns in an error path without taking it off.  Other calls
 * use the stack, and "waker", which is innocent, dies as it walks the queue.
 *
 * pattern: a missing remove_wait_queue() or finish_wait() in an error path
 * upstream: the class of stale entries on wait queues (for example of poll() users that free their queue)
 * finding: an entry on the wait queue is damaged (a pointer that no memory can have); whose it was is not known
 * never: waker() or the code of wait queues as the culprit; a lock; that the queue was never set up; freed memory
 * not: waker\(\)|freed
 * guest: insmod /test/wait-entry-left-on-queue.ko
 */
#include <linux/wait.h>
#include "crash.h"

static DECLARE_WAIT_QUEUE_HEAD(queue);

static noinline int port_wait(int state)
{
	char name[64];
	DEFINE_WAIT(wait);

	snprintf(name, sizeof(name), "port%d", state);
	prepare_to_wait(&queue, &wait, TASK_INTERRUPTIBLE);
	if (state < 0) {
		__set_current_state(TASK_RUNNING);
		return -EINVAL;
	}
	schedule_timeout(1);
	finish_wait(&queue, &wait);
	return name[0];
}

static noinline u64 port_sum(int n)
{
	u64 table[100];
	u64 sum = 0;
	int i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		WRITE_ONCE(table[i], 0x6d616e2e74726f70ULL + n);
	for (i = 0; i < ARRAY_SIZE(table); i++)
		sum += READ_ONCE(table[i]);
	return sum;
}

static int opener(void *unused)
{
	port_wait(1);
	port_wait(-1);
	for (;;) {
		port_sum(3);
		msleep(20);
	}
	return 0;
}

static int waker(void *unused)
{
	msleep(1000);
	for (;;) {
		wake_up_all(&queue);
		msleep(20);
	}
	return 0;
}

static int __init port_init(void)
{
	run_thread(opener, NULL, 0, "opener");
	return run_thread(waker, NULL, 1, "waker");
}
module_init(port_init);
