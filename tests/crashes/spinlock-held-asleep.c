// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "sleeper" sleeps in a call that allocates, with a spinlock held.  "waiter" spins for
 * the lock, and its CPU is what the watchdog names.
 *
 * pattern: sleeping with a spinlock held (GFP_KERNEL under a lock)
 * finding: soft lockup of a CPU that waits for a spinlock; its owner is not recorded in the lock; at best:
 *	"sleeper" sleeps within held_too_long()
 * never: "waiter" as the cause; an endless loop of waiter's own
 * must: ^shown: .*waited for a spinlock in use_table\(\)
 * not: loop|endless
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/spinlock-held-asleep.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(table_lock);

static noinline void held_too_long(void)
{
	spin_lock(&table_lock);
	__set_current_state(TASK_UNINTERRUPTIBLE);
	preempt_enable();	/* as a kernel without preemption would let it pass */
	schedule_timeout(1000 * HZ);
	preempt_disable();
	spin_unlock(&table_lock);
}

static int sleeper(void *unused)
{
	held_too_long();
	return 0;
}

static noinline void use_table(void)
{
	spin_lock(&table_lock);
	spin_unlock(&table_lock);
}

static int waiter(void *unused)
{
	msleep(700);
	use_table();
	return 0;
}

static int __init table_init(void)
{
	run_thread(sleeper, NULL, 0, "sleeper");
	return run_thread(waiter, NULL, 1, "waiter");
}
module_init(table_init);
