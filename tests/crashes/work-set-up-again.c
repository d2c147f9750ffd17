// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A reset calls INIT_WORK() for a work item that is queued.  The list of the pool never gets past it: its worker runs
 * refill() again and again, and what stands behind, collect(), is never run.  "closer" flushes that, with a mutex held.
 *
 * pattern: INIT_WORK() in a path that runs more than once
 * upstream: the class of INIT_WORK() in open() instead of probe() (usbnet, wifi drivers)
 * finding: closer waits for collect(), which is queued and not run, as its pool's list is broken (or its worker runs refill() all
 *	the time)
 * never: "client", which waits for closer's mutex; collect() as hanging itself; a deadlock (cycle)
 * must: ^(shown|likely): process_one_work\(\) .*it was set up again
 * not: client|deadlock
 * guest: echo 10 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/work-set-up-again.ko
 */
#include "crash.h"

static DEFINE_MUTEX(port_lock);
static struct work_struct busy_work, refill_work, collect_work;
static unsigned long refills;

static void busy(struct work_struct *work)
{
	mdelay(400);
}

static void refill(struct work_struct *work)
{
	refills++;
	udelay(50);
}

static void collect(struct work_struct *work)
{
	refills = 0;
}

static noinline void port_reset(void)
{
	INIT_WORK(&refill_work, refill);
}

static int resetter(void *unused)
{
	msleep(200);
	schedule_work_on(1, &busy_work);
	msleep(50);
	schedule_work_on(1, &refill_work);
	schedule_work_on(1, &collect_work);
	msleep(50);
	port_reset();
	return 0;
}

static int closer(void *unused)
{
	msleep(1000);
	mutex_lock(&port_lock);
	flush_work(&collect_work);
	mutex_unlock(&port_lock);
	return 0;
}

static int client(void *unused)
{
	msleep(1200);
	mutex_lock(&port_lock);
	mutex_unlock(&port_lock);
	return 0;
}

static int __init port_init(void)
{
	INIT_WORK(&busy_work, busy);
	INIT_WORK(&refill_work, refill);
	INIT_WORK(&collect_work, collect);
	run_thread(resetter, NULL, 0, "resetter");
	run_thread(closer, NULL, 0, "closer");
	return run_thread(client, NULL, 0, "client");
}
module_init(port_init);
