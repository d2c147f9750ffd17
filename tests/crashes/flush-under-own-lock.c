// SPDX-License-Identifier: GPL-2.0-only
/*
 * Thread "remover" cancels a work item with the mutex held that the work item wants.  "client" wants
 * the mutex too, and is innocent.
 *
 * pattern: cancel_work_sync() under the lock of the work, as often in Bluetooth, media and wireless
 * finding: a deadlock of two: remover holds dev_lock and waits for the work poll_link(), which runs in a
 *	kworker and waits for dev_lock
 * never: "client"; the work queue as full or slow
 * must: ^shown: A deadlock: .*remover-[0-9]+ waits for the work item poll_link\(\)
 * region: ^likely: A deadlock: .*remover-[0-9]+ waits for the work item poll_link\(\)
 * not: client
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/flush-under-own-lock.ko
 */
#include "crash.h"

static DEFINE_MUTEX(dev_lock);

static noinline void poll_link(struct work_struct *unused)
{
	msleep(200);
	mutex_lock(&dev_lock);
	mutex_unlock(&dev_lock);
}

static DECLARE_WORK(link_work, poll_link);

static noinline void dev_remove(void)
{
	mutex_lock(&dev_lock);
	cancel_work_sync(&link_work);
	mutex_unlock(&dev_lock);
}

static int remover(void *unused)
{
	msleep(300);
	schedule_work(&link_work);
	msleep(50);
	dev_remove();
	return 0;
}

static int client(void *unused)
{
	msleep(400);
	mutex_lock(&dev_lock);
	mutex_unlock(&dev_lock);
	return 0;
}

static int __init dev_init(void)
{
	run_thread(client, NULL, -1, "client");
	return run_thread(remover, NULL, -1, "remover");
}
module_init(dev_init);
