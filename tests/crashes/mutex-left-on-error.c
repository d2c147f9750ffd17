// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "failed" takes a mutex, meets an error, returns without unlocking and ends.  "second"
 * waits for ever; "busy" touches the device all the time, without the mutex.
 *
 * pattern: missing unlock in an error path
 * upstream: the class of "fix missing mutex_unlock() on error" (for example CVE-2023-52519's kin)
 * finding: second waits for table_lock, whose owner has ended; not known who it was, or "failed"
 * never: "busy", or any task that lives, as the holder; a deadlock
 * must: ^likely: second-[0-9]+ waits .*table_lock.*failed\(\) of module
 * not: busy|[Dd]eadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/mutex-left-on-error.ko
 */
#include "crash.h"

static DEFINE_MUTEX(table_lock);
static unsigned long touched;

static int failed(void *unused)
{
	mutex_lock(&table_lock);
	return -ENOMEM;
}

static int second(void *unused)
{
	msleep(500);
	mutex_lock(&table_lock);
	touched = 0;
	mutex_unlock(&table_lock);
	return 0;
}

static int busy(void *unused)
{
	for (;;) {
		WRITE_ONCE(touched, touched + 1);
		msleep(20);
	}
	return 0;
}

static int __init table_init(void)
{
	run_thread(failed, NULL, -1, "failed");
	run_thread(busy, NULL, -1, "busy");
	return run_thread(second, NULL, -1, "second");
}
module_init(table_init);
