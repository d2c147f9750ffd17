// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread polls for ever and never looks at kthread_should_stop().  rmmod waits for its end.
 *
 * pattern: kthread_stop() of a thread that does not look
 * upstream: the class of "hung task in kthread_stop()"
 * finding: rmmod waits for thread "poller" to end; it still runs (sleeps now and then) and does not end
 * never: a deadlock; "poller" as one that hangs; a lock
 * must: ^shown: .*poller-[0-9]+
 * not: deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/thread-ignores-stop.ko
 * guest: sleep 1
 * guest: rmmod thread_ignores_stop
 */
#include "crash.h"

static struct task_struct *thread;
static u64 polls;

static noinline void port_poll(void)
{
	polls++;
	msleep(30);
}

static int poller(void *unused)
{
	for (;;)
		port_poll();
	return 0;
}

static int __init port_init(void)
{
	thread = kthread_run(poller, NULL, "poller");
	return PTR_ERR_OR_ZERO(thread);
}

static void __exit port_exit(void)
{
	kthread_stop(thread);
}
module_init(port_init);
module_exit(port_exit);
