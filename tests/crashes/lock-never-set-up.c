// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A channel comes from the driver's own pool, which fills free channels with 0x5a; spin_lock_init() is forgotten when
 * it is taken out.  None holds that lock.  "calculator" on the other CPU computes with cond_resched(), innocent.
 *
 * pattern: spin_lock_init() missing
 * upstream: the class of uninitialised locks that syzbot finds as "trying to register non-static key"
 * finding: channel_open() spins for (or faults in) a spinlock whose word is 0x5a..., which no lock has: never set up, or
 *	overwritten
 * never: "calculator" or its CPU as the holder; a deadlock; freed memory as certain
 * must: ^shown: .*opener-[0-9]+, waited for a spinlock in channel_open\(\)
 * not: calculator|deadlock
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/lock-never-set-up.ko
 */
#include "crash.h"

struct channel {
	u32 id;
	spinlock_t lock;
	u64 sent;
};

static struct channel pool[8];

static noinline struct channel *channel_open(u32 id)
{
	struct channel *c = &pool[id];

	c->id = id;
	spin_lock(&c->lock);
	c->sent = 0;
	spin_unlock(&c->lock);
	return c;
}

static int opener(void *unused)
{
	msleep(300);
	channel_open(3);
	return 0;
}

static int calculator(void *unused)
{
	unsigned long sum = 0;

	for (;;) {
		udelay(100);
		sum++;
		cond_resched();
	}
	return sum;
}

static int __init channel_init(void)
{
	memset(pool, 0x5a, sizeof(pool));
	run_thread(calculator, NULL, 1, "calculator");
	return run_thread(opener, NULL, 0, "opener");
}
module_init(channel_init);
