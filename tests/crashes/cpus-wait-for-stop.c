// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "changer" stops all CPUs for a change of code, and waits for CPU 1, where "loader" polls with preemption and
 * interrupts off.
 *
 * pattern: stop_machine() as text patching or hotplug uses it, and a driver that polls for ever
 * finding: CPU 0 waits in stop_machine() for CPU 1, which is in await_load() of loader with interrupts off
 * never: the migration thread or "changer" as the cause; multi_cpu_stop() as what hangs
 * must: ^likely: .*CPU 1, task loader-[0-9]+, in await_load\(\)
 * not: changer
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/cpus-wait-for-stop.ko
 */
#include <linux/stop_machine.h>
#include "crash.h"

static u32 loaded;

static noinline void await_load(void)
{
	local_irq_disable();
	while (!READ_ONCE(loaded))
		cpu_relax();
	local_irq_enable();
}

static int loader(void *unused)
{
	msleep(300);
	await_load();
	return 0;
}

static int change(void *unused)
{
	return 0;
}

static int changer(void *unused)
{
	msleep(1200);
	return stop_machine(change, NULL, NULL);
}

static int __init loader_init(void)
{
	run_thread(loader, NULL, 1, "loader");
	return run_thread(changer, NULL, 0, "changer");
}
module_init(loader_init);
