// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "lister" reads under a rwlock and calls a helper that takes it for reading again; a writer on CPU 1 came in
 * between and waits, and the second read waits behind the writer.
 *
 * pattern: recursive read_lock() in process context (rwlocks are fair since 3.16)
 * upstream: the class of read_lock() within read_lock() of the same lock, in process context
 * finding: lister holds devices_lock for reading (list_devices()) and spins for it in device_name(), as a writer waits
 * never: "renamer" (the writer) as the one that holds the lock; a loop without a lock
 * must: ^likely: .*lister-[0-9]+, waits for itself: list_devices\(\) .* read-write lock devices_lock
 * not: renamer-[0-9]+ holds
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/rwlock-read-again.ko
 */
#include "crash.h"

static DEFINE_RWLOCK(devices_lock);
static unsigned long renames;

static noinline unsigned long device_name(void)
{
	unsigned long n;

	read_lock(&devices_lock);
	n = renames;
	read_unlock(&devices_lock);
	return n;
}

static noinline unsigned long list_devices(void)
{
	unsigned long n;

	read_lock(&devices_lock);
	mdelay(200);
	n = device_name();
	read_unlock(&devices_lock);
	return n;
}

static int lister(void *unused)
{
	msleep(300);
	return list_devices();
}

static int renamer(void *unused)
{
	msleep(400);
	write_lock(&devices_lock);
	renames++;
	write_unlock(&devices_lock);
	return 0;
}

static int __init devices_init(void)
{
	run_thread(renamer, NULL, 1, "renamer");
	return run_thread(lister, NULL, 0, "lister");
}
module_init(devices_init);
