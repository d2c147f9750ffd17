// SPDX-License-Identifier: GPL-2.0-only
/*
 * A callback takes the mutex that its caller holds.
 *
 * pattern: recursive locking through a callback (notifier)
 * finding: deadlock of "notifier" with itself: it holds chain_lock and waits for it
 * never: another task
 * must: ^likely: .*notifier-[0-9]+ waits for a lock that it holds itself
 * not: each of
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/same-mutex-again.ko
 */
#include "crash.h"

static DEFINE_MUTEX(chain_lock);

static noinline void callback(void)
{
	mutex_lock(&chain_lock);
	mutex_unlock(&chain_lock);
}

static int notifier(void *unused)
{
	mutex_lock(&chain_lock);
	callback();
	mutex_unlock(&chain_lock);
	return 0;
}

static int __init chain_init(void)
{
	return run_thread(notifier, NULL, -1, "notifier");
}
module_init(chain_init);
