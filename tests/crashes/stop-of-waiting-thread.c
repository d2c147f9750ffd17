// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "remover" holds a mutex and stops thread "pump", which waits for an answer of a
 * device that is gone.  "client" wants the mutex.
 *
 * pattern: kthread_stop() of a thread in wait_for_completion(); disconnect of a device
 * finding: client waits for remover, who waits for thread pump to end, which waits for a completion in
 *	await_answer()
 * never: "client"; "remover" as the cause without pump; a deadlock (cycle)
 * must: ^shown: .*pump-[0-9]+
 * not: deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/stop-of-waiting-thread.ko
 */
#include <linux/completion.h>
#include "crash.h"

static DECLARE_COMPLETION(answer);
static DEFINE_MUTEX(dev_lock);
static struct task_struct *pump_task;

static noinline void await_answer(void)
{
	wait_for_completion(&answer);
}

static int pump(void *unused)
{
	while (!kthread_should_stop())
		await_answer();
	return 0;
}

static noinline void dev_disconnect(void)
{
	mutex_lock(&dev_lock);
	kthread_stop(pump_task);
	mutex_unlock(&dev_lock);
}

static int remover(void *unused)
{
	msleep(500);
	dev_disconnect();
	return 0;
}

static int client(void *unused)
{
	msleep(900);
	mutex_lock(&dev_lock);
	mutex_unlock(&dev_lock);
	return 0;
}

static int __init dev_init(void)
{
	pump_task = kthread_run(pump, NULL, "pump");
	run_thread(remover, NULL, -1, "remover");
	return run_thread(client, NULL, -1, "client");
}
module_init(dev_init);
