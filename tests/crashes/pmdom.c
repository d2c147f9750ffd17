// SPDX-License-Identifier: GPL-2.0-only
/*
 * Three locks of three kinds are taken in a ring.
 *
 * pattern: mutex, rwsem and percpu-rwsem in a ring (cgroup/cpuset/hotplug, genpd)
 * finding: pmd holds dom_lock and wants topo_sem, hotplugd holds topo_sem and wants gate, dmaeng reads under gate and wants dom_lock
 * never: thermal, sysmon
 * must: likely: A deadlock: .*(pmd-[0-9]+, hotplugd-[0-9]+, dmaeng-|hotplugd-[0-9]+, dmaeng-[0-9]+, pmd-|dmaeng-[0-9]+, pmd-[0-9]+, hotplugd-)
 * shows: hotplugd-[0-9]+ waits to write the per-CPU semaphore [0-9a-f]{16}, which one reads: dmaeng-[0-9]+, taken in xfer_submit\(\)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/pmdom.ko
 * guest: while :; do read line </proc/uptime; sleep 0.5; done
 */
#include <linux/percpu-rwsem.h>
#include "crash.h"

static DEFINE_MUTEX(dom_lock);
static DECLARE_RWSEM(topo_sem);
static struct percpu_rw_semaphore gate;
static u32 dom_state, dom_uses, topo_gen, xfers, temp;

static noinline void domain_get(void)
{
	mutex_lock(&dom_lock);
	dom_uses++;
	mutex_unlock(&dom_lock);
}

static noinline void domain_power(u32 state)
{
	mutex_lock(&dom_lock);
	dom_state = state;
	usleep_range(15000, 16000);
	down_write(&topo_sem);
	topo_gen++;
	up_write(&topo_sem);
	mutex_unlock(&dom_lock);
}

static noinline void topo_rebuild(void)
{
	down_write(&topo_sem);
	topo_gen += 16;
	usleep_range(15000, 16000);
	percpu_down_write(&gate);
	topo_gen++;
	percpu_up_write(&gate);
	up_write(&topo_sem);
}

static noinline void xfer_submit(u32 n)
{
	percpu_down_read(&gate);
	xfers++;
	usleep_range(2000, 3000);
	if (n % 128 == 127) {
		usleep_range(30000, 31000);
		domain_get();
	}
	percpu_up_read(&gate);
}

static int pmd(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		domain_power(i & 3);
		usleep_range(3000, 9000);
	}
	return 0;
}

static int hotplugd(void *unused)
{
	for (;;) {
		msleep(25);
		topo_rebuild();
	}
	return 0;
}

static int dmaeng(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		xfer_submit(i);
		usleep_range(1000, 2000);
	}
	return 0;
}

static int thermal(void *unused)
{
	for (;;) {
		mutex_lock(&dom_lock);
		temp = 40000 + dom_state * 100;
		mutex_unlock(&dom_lock);
		msleep(100);
	}
	return 0;
}

static int sysmon(void *unused)
{
	u32 gen = 0;

	for (;;) {
		down_read(&topo_sem);
		gen += topo_gen;
		up_read(&topo_sem);
		msleep(70);
	}
	return gen;
}

static int __init pmdom_init(void)
{
	int err = percpu_init_rwsem(&gate);

	if (err)
		return err;
	run_thread(thermal, NULL, -1, "thermal");
	run_thread(sysmon, NULL, -1, "sysmon");
	run_thread(pmd, NULL, -1, "pmd");
	run_thread(hotplugd, NULL, -1, "hotplugd");
	return run_thread(dmaeng, NULL, -1, "dmaeng");
}
module_init(pmdom_init);
