// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three threads, two rwsems and a mutex, in a ring.
 *
 * pattern: lock order over three subsystems (mmap_lock, i_rwsem, a driver's mutex)
 * upstream: CVE-2026-31480, tracing/osnoise: three tasks, interface_lock and the CPU hotplug lock
 * finding: deadlock of three: "mapper" holds tree and wants inode; "truncate" holds inode and wants
 *	driver; "driver" holds driver and wants tree
 * never: two of them alone; anyone else
 * must: ^shown: .*deadlock.*(mapper|truncate|driver)-[0-9]+, (mapper|truncate|driver)-[0-9]+, (mapper|truncate|driver)-
 * not: khung
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/rwsem-ring-of-three.ko
 */
#include <linux/rwsem.h>
#include "crash.h"

static DECLARE_RWSEM(tree);
static DECLARE_RWSEM(inode);
static DEFINE_MUTEX(driver_lock);

static int mapper(void *unused)
{
	down_write(&tree);
	msleep(300);
	down_read(&inode);
	return 0;
}

static int truncate_run(void *unused)
{
	down_write(&inode);
	msleep(300);
	mutex_lock(&driver_lock);
	return 0;
}

static int driver(void *unused)
{
	mutex_lock(&driver_lock);
	msleep(300);
	down_read(&tree);
	return 0;
}

static int __init ring_init(void)
{
	run_thread(mapper, NULL, 0, "mapper");
	run_thread(truncate_run, NULL, 1, "truncate");
	return run_thread(driver, NULL, 1, "driver");
}
module_init(ring_init);
