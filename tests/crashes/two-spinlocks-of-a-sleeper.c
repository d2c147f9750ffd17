// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "sleeper" sleeps with two spinlocks held, which none may.  Two CPUs wait for one of them each, after they took and gave
 * back the other one: nothing is in two orders.
 *
 * pattern: a sleeping call with spinlocks held
 * finding: CPU 0 in queue_run() and CPU 1 in port_reset() wait for spinlocks that none of them holds; who holds them, is open
 * never: a deadlock of the two; either as the holder
 * not: ^(shown|likely): .*(deadlock|each took|waits for itself)
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/two-spinlocks-of-a-sleeper.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(queue_lock);
static DEFINE_SPINLOCK(port_lock);
static unsigned long queued, sent;

static noinline void queue_run(void)
{
	spin_lock(&queue_lock);
	queued++;
	spin_unlock(&queue_lock);
	msleep(400);
	spin_lock(&port_lock);
	sent++;
	spin_unlock(&port_lock);
}

static noinline void port_reset(void)
{
	spin_lock(&port_lock);
	sent = 0;
	spin_unlock(&port_lock);
	msleep(400);
	spin_lock(&queue_lock);
	queued = 0;
	spin_unlock(&queue_lock);
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

/* The lock's words are taken without what counts preemption, so that sleeping is not noticed. */
static int sleeper(void *unused)
{
	msleep(500);
	arch_spin_lock(&queue_lock.rlock.raw_lock);
	arch_spin_lock(&port_lock.rlock.raw_lock);
	for (;;)
		msleep(100);
	return 0;
}

static int starter(void *unused)
{
	run_thread(transmitter, NULL, 0, "transmitter");
	run_thread(resetter, NULL, 1, "resetter");
	return 0;
}

static int __init port_init(void)
{
	run_thread(sleeper, NULL, 1, "sleeper");
	return run_thread(starter, NULL, 0, "starter");
}
module_init(port_init);
