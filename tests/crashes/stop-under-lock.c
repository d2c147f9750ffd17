// SPDX-License-Identifier: GPL-2.0-only
/*
 * "remover" stops the thread "poller" with the mutex held that the thread wants.
 *
 * pattern: kthread_stop() under the lock of the thread
 * finding: a deadlock: poller waits for dev_lock of remover, and remover for the end of poller
 * never: "client"; a lost wakeup
 * must: ^shown: A deadlock: .*(poller|remover)
 * not: client
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/stop-under-lock.ko
 */
#include "crash.h"

static DEFINE_MUTEX(dev_lock);

static noinline void poll_once(void)
{
	mutex_lock(&dev_lock);
	mutex_unlock(&dev_lock);
}

static int poller(void *unused)
{
	while (!kthread_should_stop()) {
		poll_once();
		msleep(30);
	}
	return 0;
}

static int client(void *unused)
{
	msleep(900);
	mutex_lock(&dev_lock);
	mutex_unlock(&dev_lock);
	return 0;
}

static noinline void dev_remove(struct task_struct *task)
{
	mutex_lock(&dev_lock);
	msleep(100);
	kthread_stop(task);
	mutex_unlock(&dev_lock);
}

static int remover(void *data)
{
	msleep(500);
	dev_remove(data);
	return 0;
}

static int __init dev_init(void)
{
	struct task_struct *task;

	run_thread(client, NULL, -1, "client");
	task = kthread_run(poller, NULL, "poller");
	return run_thread(remover, task, -1, "remover");
}
module_init(dev_init);
