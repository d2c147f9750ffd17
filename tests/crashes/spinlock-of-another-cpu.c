// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  CPU 0 loops with a spinlock held and interrupts off; CPU 1 waits for that lock.  The
 * watchdog of CPU 1 barks; that of CPU 0 cannot.
 *
 * pattern: a lockup whose victim is reported, not the holder
 * finding: soft lockup of CPU 1 in spin_lock(), or where it waits for an interrupt of CPU 0; CPU 0 has interrupts off in hold_lock(), "holder", since
 *	longer: the root
 * never: "waiter" as the cause
 * must: ^likely: .*holder-[0-9]+, in hold_lock\(\) .*interrupts
 * not: waiter-[0-9]+ holds
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/spinlock-of-another-cpu.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(queue_lock);
static int pending = 1;

static noinline void hold_lock(void)
{
	spin_lock_irq(&queue_lock);
	while (READ_ONCE(pending))
		cpu_relax();
	spin_unlock_irq(&queue_lock);
}

static int holder(void *unused)
{
	msleep(300);
	hold_lock();
	return 0;
}

static noinline void take_lock(void)
{
	spin_lock(&queue_lock);
	spin_unlock(&queue_lock);
}

static int waiter(void *unused)
{
	msleep(500);
	take_lock();
	return 0;
}

static int __init queue_init(void)
{
	run_thread(waiter, NULL, 1, "waiter");
	return run_thread(holder, NULL, 0, "holder");
}
module_init(queue_init);
