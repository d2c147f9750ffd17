// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A program waits in a driver for the next record, in a way that the freezer may stop, with the driver's mutex held.
 * The cgroup of the program is frozen by its administrator.  All that want the mutex wait, and no code of them is wrong.
 *
 * pattern: a task is frozen (cgroup freezer, suspend) within the kernel with a lock held
 * upstream: the class of wait_event_freezable() and freezable_schedule() under a lock (nfs, cifs; "lock held when freezing")
 * finding: the shell that wrote /proc/log-rotate holds log_lock in log_rotate() and is frozen: it sits in __refrigerator(), as the cgroup "batch" of the freezer was frozen
 * never: log-tail, which only waits for log_lock; log-feed, which wakes the queue; a deadlock; a wakeup that was lost
 * must: ^shown: .*at the end of the chain init-[0-9]+ holds .*is frozen.*log_rotate\(\)
 * not: log-feed|log-tail-[0-9]+ holds|deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/log-rotate.ko
 * guest: mkdir -p /tmp/fz && mount -t cgroup -o freezer none /tmp/fz && mkdir /tmp/fz/batch
 * guest: (echo 0 >/tmp/fz/batch/cgroup.procs; while :; do echo 3 >/proc/log-rotate; done) &
 * guest: sleep 2
 * guest: echo FROZEN >/tmp/fz/batch/freezer.state
 */
#include <linux/freezer.h>
#include <linux/wait.h>
#include "crash.h"

static DEFINE_MUTEX(log_lock);
static DECLARE_WAIT_QUEUE_HEAD(log_wait);
static u32 written, rotated;

static noinline int log_rotate(unsigned int records)
{
	u32 target;
	int err;

	mutex_lock(&log_lock);
	target = READ_ONCE(written) + records;
	err = wait_event_freezable(log_wait, (s32)(READ_ONCE(written) - target) >= 0);
	if (!err)
		rotated++;
	mutex_unlock(&log_lock);
	return err;
}

PROC_NUMBER(rotate, log_rotate);

static int log_feed(void *unused)
{
	for (;;) {
		WRITE_ONCE(written, written + 1);
		wake_up(&log_wait);
		msleep(60);
	}
	return 0;
}

static int log_tail(void *unused)
{
	u32 sum = 0;

	for (;;) {
		mutex_lock(&log_lock);
		sum += rotated;
		mutex_unlock(&log_lock);
		msleep(300);
	}
	return sum;
}

static int __init log_init(void)
{
	if (!proc_create("log-rotate", 0200, NULL, &rotate_pops))
		return -ENOMEM;
	run_thread(log_feed, NULL, -1, "log-feed");
	return run_thread(log_tail, NULL, -1, "log-tail");
}
module_init(log_init);
