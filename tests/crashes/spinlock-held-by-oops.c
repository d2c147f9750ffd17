// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "updater" dies of a NULL pointer with a spinlock held, and the kernel goes on (panic_on_oops is 0).  "reporter" spins for
 * the lock on the other CPU, and the soft lockup is what the kernel panics of.
 *
 * pattern: an oops under a spinlock
 * upstream: the class of lockups behind an oops; why panic_on_oops is recommended
 * finding: reporter spins for a lock that cannot be released: updater died with it, of NULL in counter_apply()
 * never: reporter as the culprit; that CPU 0 or an interrupt holds it; "busy" on CPU 0
 * must: ^(shown|likely): CPU 1, task reporter-[0-9]+, waited
 * not: busy|CPU 0
 * guest: echo 0 >/proc/sys/kernel/panic_on_oops
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/spinlock-held-by-oops.ko
 */
#include "crash.h"

struct counter {
	u64 step;
	u64 sum;
};

static DEFINE_SPINLOCK(lock);
static struct counter *counter;

static noinline void counter_apply(struct counter *c)
{
	c->sum += c->step;
}

static int updater(void *unused)
{
	msleep(500);
	spin_lock(&lock);
	counter_apply(UNKNOWN(counter));
	spin_unlock(&lock);
	return 0;
}

static noinline void counter_report(void)
{
	spin_lock(&lock);
	spin_unlock(&lock);
}

static int reporter(void *unused)
{
	msleep(1500);
	counter_report();
	return 0;
}

static int busy(void *unused)
{
	while (!kthread_should_stop()) {
		mdelay(3);
		msleep(5);
	}
	return 0;
}

static int __init counter_init(void)
{
	run_thread(busy, NULL, 0, "busy");
	run_thread(reporter, NULL, 1, "reporter");
	return run_thread(updater, NULL, 0, "updater");
}
module_init(counter_init);
