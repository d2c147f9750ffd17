// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two CPUs take two spinlocks in the two orders.
 *
 * pattern: ABBA of spinlocks: a queue's lock and a device's lock
 * upstream: the class of "possible circular locking dependency" that lockdep finds and stock kernels do not
 * finding: deadlock of CPU 0 in queue_run() (holds queue_lock, spins for port_lock) and CPU 1 in port_reset() (the other way)
 * never: only one of both as the culprit for certain; "logger", which sleeps; a CPU that loops without a lock
 * must: ^likely: A deadlock of two spinlocks: .*(port_reset|queue_run)\(\).* waits for (queue|port)_lock
 * not: logger
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/two-spinlocks.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(queue_lock);
static DEFINE_SPINLOCK(port_lock);
static unsigned long queued, sent;

static noinline void queue_run(void)
{
	spin_lock(&queue_lock);
	queued++;
	mdelay(100);
	spin_lock(&port_lock);
	sent++;
	spin_unlock(&port_lock);
	spin_unlock(&queue_lock);
}

static noinline void port_reset(void)
{
	spin_lock(&port_lock);
	sent = 0;
	mdelay(100);
	spin_lock(&queue_lock);
	queued = 0;
	spin_unlock(&queue_lock);
	spin_unlock(&port_lock);
}

static int transmitter(void *unused)
{
	msleep(300);
	queue_run();
	return 0;
}

static int resetter(void *unused)
{
	msleep(330);
	port_reset();
	return 0;
}

static int logger(void *unused)
{
	for (;;)
		msleep(50);
	return 0;
}

static int __init port_init(void)
{
	run_thread(logger, NULL, 1, "logger");
	run_thread(transmitter, NULL, 0, "transmitter");
	return run_thread(resetter, NULL, 1, "resetter");
}
module_init(port_init);
