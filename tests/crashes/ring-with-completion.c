// SPDX-License-Identifier: GPL-2.0-only
/*
 * "admin" freezes a queue with queue_lock held, and waits until "drainer" has said that it is empty.  "drainer" wants
 * map_sem to read; "mapper" writes under it, and wants queue_lock.  "client" wants queue_lock too, innocent.
 *
 * pattern: a mutex, a completion and a rwsem in a circle of three tasks
 * upstream: the class of nvme resets against scans (namespaces_rwsem, scan_lock, queue freeze)
 * finding: "mapper" holds map_sem and wants queue_lock; "admin" holds queue_lock and waits for what "drainer" completes;
 *	"drainer" waits for map_sem
 * never: "client"; that "admin" sleeps for nothing; that "drainer" holds anything
 * must: ^likely: A deadlock.*(admin|drainer|mapper)-[0-9]+, (admin|drainer|mapper)-[0-9]+, (admin|drainer|mapper)-
 * not: deadlock.*client
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/ring-with-completion.ko
 */
#include <linux/completion.h>
#include <linux/rwsem.h>
#include "crash.h"

static DEFINE_MUTEX(queue_lock);
static DECLARE_RWSEM(map_sem);
static DECLARE_COMPLETION(drained);
static int mapped;

static noinline int freeze_queue(void *unused)
{
	mutex_lock(&queue_lock);
	msleep(200);
	wait_for_completion(&drained);
	mutex_unlock(&queue_lock);
	return 0;
}

static noinline int drain_queue(void *unused)
{
	msleep(150);
	down_read(&map_sem);
	mapped++;
	up_read(&map_sem);
	complete(&drained);
	return 0;
}

static noinline int map_queue(void *unused)
{
	msleep(100);
	down_write(&map_sem);
	mutex_lock(&queue_lock);
	mapped = 0;
	mutex_unlock(&queue_lock);
	up_write(&map_sem);
	return 0;
}

static int client(void *unused)
{
	msleep(50);
	mutex_lock(&queue_lock);
	mutex_unlock(&queue_lock);
	return 0;
}

static int __init queue_init(void)
{
	run_thread(client, NULL, 0, "client");
	run_thread(map_queue, NULL, 0, "mapper");
	run_thread(drain_queue, NULL, 1, "drainer");
	return run_thread(freeze_queue, NULL, 1, "admin");
}
module_init(queue_init);
