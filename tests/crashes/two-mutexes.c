// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two threads take two mutexes in the two orders.  A third waits for one of them, innocent.
 *
 * pattern: ABBA deadlock of an ioctl and a hotplug path
 * upstream: CVE-2026-43319, spi: spidev: buf_lock and spi_lock in both orders
 * finding: deadlock: "configure" holds config_lock and waits for device_lock; "hotplug" holds
 *	device_lock and waits for config_lock
 * never: "watcher", which waits for config_lock and holds nothing
 * must: ^shown: .*deadlock.*(configure|hotplug)-[0-9]+, (configure|hotplug)-
 * region: ^likely: .*deadlock.*(configure|hotplug)-[0-9]+, (configure|hotplug)-
 * not: deadlock.*watcher
 * not: watcher.* holds
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/two-mutexes.ko
 */
#include "crash.h"

static DEFINE_MUTEX(config_lock);
static DEFINE_MUTEX(device_lock);

static int configure(void *unused)
{
	mutex_lock(&config_lock);
	msleep(200);
	mutex_lock(&device_lock);
	return 0;
}

static int hotplug(void *unused)
{
	msleep(50);
	mutex_lock(&device_lock);
	msleep(200);
	mutex_lock(&config_lock);
	return 0;
}

static int watcher(void *unused)
{
	msleep(100);
	mutex_lock(&config_lock);
	return 0;
}

static int __init locks_init(void)
{
	run_thread(watcher, NULL, 0, "watcher");
	run_thread(configure, NULL, 0, "configure");
	return run_thread(hotplug, NULL, 1, "hotplug");
}
module_init(locks_init);
