// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe runs asynchronously, and what it calls waits for all that is asynchronous to end: for itself.
 *
 * pattern: async_synchronize_full() from within an async function
 * upstream: 774a1221e862, module, async: async_synchronize_full() on module init iff async is used
 * finding: the kworker that runs disk_probe() waits for all async functions to end, and so for itself
 * never: "loader", which waits for all of them too; a lock; a disk; the kworker as starved
 * must: ^likely: kworker.* waits for itself, .*disk_probe\(\)
 * not: loader-[0-9]+ (waits|holds)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/async-waits-for-itself.ko
 */
#include <linux/async.h>
#include "crash.h"

static noinline void elevator_load(void)
{
	async_synchronize_full();
}

static void disk_probe(void *unused, async_cookie_t cookie)
{
	msleep(300);
	elevator_load();
}

static int loader(void *unused)
{
	msleep(1500);
	async_synchronize_full();
	return 0;
}

static int __init disk_init(void)
{
	async_schedule(disk_probe, NULL);
	return run_thread(loader, NULL, -1, "loader");
}
module_init(disk_init);
