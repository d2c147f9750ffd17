// SPDX-License-Identifier: GPL-2.0-only
/*
 * A per-CPU semaphore is taken to read, and below that to write, by one task.  "writeback" reads it as well.
 *
 * pattern: percpu_down_write() below percpu_down_read()
 * upstream: the class of freeze_super() and cgroup_threadgroup_rwsem under themselves
 * finding: "snapshot" waits for itself: it reads fs_gate in snap_take() and wants to write it in snap_commit()
 * never: "writeback"
 * must: a per-CPU semaphore
 * not: deadlock|writeback-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/fs-quiesce.ko
 */
#include <linux/percpu-rwsem.h>
#include "crash.h"

DEFINE_STATIC_PERCPU_RWSEM(fs_gate);
static u64 written, snaps;

static noinline void snap_commit(void)
{
	percpu_down_write(&fs_gate);
	snaps++;
	percpu_up_write(&fs_gate);
}

static noinline void snap_take(void)
{
	percpu_down_read(&fs_gate);
	written /= 2;
	if (written > 10)
		snap_commit();
	percpu_up_read(&fs_gate);
}

static int snapshot(void *unused)
{
	for (;;) {
		msleep(300);
		snap_take();
	}
	return 0;
}

static int writeback(void *unused)
{
	for (;;) {
		percpu_down_read(&fs_gate);
		written++;
		percpu_up_read(&fs_gate);
		msleep(12);
	}
	return 0;
}

static int __init fs_init(void)
{
	run_thread(writeback, NULL, -1, "writeback");
	return run_thread(snapshot, NULL, -1, "snapshot");
}
module_init(fs_init);
