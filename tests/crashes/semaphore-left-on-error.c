// SPDX-License-Identifier: GPL-2.0-only
/*
 * An error path leaves without up(); the thread that did it goes on, does other things, and the next one waits for ever.
 *
 * pattern: a missing up() in an error path
 * upstream: the class of "missing up() on error" (for example in drivers/s390, xfs buffers)
 * finding: "client" waits for a semaphore since a time; who has it is not known, as a semaphore has no owner
 * never: "keeper", which holds a mutex that has nothing to do with it, or any task, as the holder; a deadlock
 * must: ^likely: client-[0-9]+ waits .*semaphore gate.*gate_pass\(\) of module
 * not: keeper|deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/semaphore-left-on-error.ko
 */
#include <linux/semaphore.h>
#include "crash.h"

static DEFINE_SEMAPHORE(gate
#ifdef FOP_BUFFER_RASYNC
	, 1
#endif
	);
static DEFINE_MUTEX(other);

static noinline int gate_pass(int error)
{
	down(&gate);
	if (error)
		return -EIO;
	up(&gate);
	return 0;
}

static int driver(void *unused)
{
	gate_pass(0);
	gate_pass(1);
	while (!kthread_should_stop())
		msleep(100);
	return 0;
}

static int client(void *unused)
{
	msleep(1000);
	gate_pass(0);
	return 0;
}

static int keeper(void *unused)
{
	mutex_lock(&other);
	while (!kthread_should_stop())
		msleep(200);
	return 0;
}

static int __init gate_init(void)
{
	run_thread(keeper, NULL, -1, "keeper");
	run_thread(driver, NULL, -1, "driver");
	return run_thread(client, NULL, -1, "client");
}
module_init(gate_init);
