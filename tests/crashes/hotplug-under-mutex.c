// SPDX-License-Identifier: GPL-2.0-only
/*
 * A callback of CPU hotplug takes a mutex.  "configure" holds it, and waits for hotplug to end (cpus_read_lock()); the task
 * that takes the CPU down waits for the callback's thread.
 *
 * pattern: a driver's mutex in a cpuhp callback, and cpus_read_lock() under this mutex
 * upstream: the class of lock inversions with cpu_hotplug_lock (for example static_key_slow_inc() under a driver's lock)
 * finding: a deadlock of three: the writer of online waits for cpuhp/1, which waits for pmu_lock of "configure", which
 *	waits for the hotplug lock of the writer
 * never: "reader", which waits behind them; a lost wakeup; that the CPU does not answer
 * must: ^shown: A deadlock: .*cpuhp/1-[0-9]+, configure-[0-9]+
 * not: reader-
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/hotplug-under-mutex.ko
 * guest: sleep 1
 * guest: echo 0 >/sys/devices/system/cpu/cpu1/online &
 */
#include <linux/cpu.h>
#include <linux/cpuhotplug.h>
#include "crash.h"

static DEFINE_MUTEX(pmu_lock);

static int pmu_online(unsigned int cpu)
{
	return 0;
}

static int pmu_offline(unsigned int cpu)
{
	mutex_lock(&pmu_lock);
	mutex_unlock(&pmu_lock);
	return 0;
}

static noinline void pmu_configure(void)
{
	mutex_lock(&pmu_lock);
	msleep(2500);
	cpus_read_lock();
	cpus_read_unlock();
	mutex_unlock(&pmu_lock);
}

static int configure(void *unused)
{
	msleep(500);
	pmu_configure();
	return 0;
}

static int reader(void *unused)
{
	msleep(4000);
	mutex_lock(&pmu_lock);
	mutex_unlock(&pmu_lock);
	return 0;
}

static int __init pmu_init(void)
{
	int ret = cpuhp_setup_state(CPUHP_AP_ONLINE_DYN, "test/pmu:online", pmu_online, pmu_offline);

	if (ret < 0)
		return ret;
	run_thread(configure, NULL, 0, "configure");
	return run_thread(reader, NULL, 0, "reader");
}
module_init(pmu_init);
