// SPDX-License-Identifier: GPL-2.0-only
/*
 * "loader" takes the arm, a semaphore, and then the mutex of the shelf; "sorter" takes them the other way.  "auditor"
 * wants the shelf.
 *
 * pattern: lock order of a semaphore and a mutex
 * upstream: the class of usb-serial and scsi drivers that have a semaphore for commands and a mutex for the device
 * finding: deadlock: "loader" has the semaphore arm and waits for shelf of "sorter", which waits for arm
 * never: "auditor"; a semaphore that was left
 * must: ^likely: A deadlock: .*(loader-[0-9]+.*sorter-[0-9]+|sorter-[0-9]+.*loader-[0-9]+)
 * not: auditor-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/tape-robot.ko
 */
#include <linux/semaphore.h>
#include "crash.h"

struct robot {
	struct semaphore arm;
	struct mutex shelf;
	unsigned int moves, sorted, audits;
};

static struct robot robot;

static noinline void robot_move(struct robot *r)
{
	down(&r->arm);
	msleep(7);
	mutex_lock(&r->shelf);
	r->moves++;
	mutex_unlock(&r->shelf);
	up(&r->arm);
}

static noinline void shelf_sort(struct robot *r)
{
	mutex_lock(&r->shelf);
	msleep(9);
	if (r->sorted++ % 4 == 3) {
		down(&r->arm);
		r->moves++;
		up(&r->arm);
	}
	mutex_unlock(&r->shelf);
}

static int loader(void *data)
{
	for (;;) {
		robot_move(data);
		msleep(20);
	}
	return 0;
}

static int sorter(void *data)
{
	for (;;) {
		shelf_sort(data);
		msleep(30);
	}
	return 0;
}

static int auditor(void *data)
{
	struct robot *r = data;

	for (;;) {
		msleep(400);
		mutex_lock(&r->shelf);
		r->audits++;
		mutex_unlock(&r->shelf);
	}
	return 0;
}

static int __init robot_init(void)
{
	sema_init(&robot.arm, 1);
	mutex_init(&robot.shelf);
	run_thread(auditor, &robot, -1, "auditor");
	run_thread(loader, &robot, -1, "loader");
	return run_thread(sorter, &robot, -1, "sorter");
}
module_init(robot_init);
