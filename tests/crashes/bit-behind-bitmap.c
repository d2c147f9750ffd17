// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A bit is set behind the end of a bitmap, where the word of a spinlock lies.  The next one who
 * wants the lock waits for ever, and no CPU holds it.
 *
 * pattern: set_bit() with an unchecked number; a lock that was never set up looks the same
 * finding: soft lockup of "taker", which waits for a spinlock in slot_take(); that no task or CPU
 *	holds it, or that its holder is not known
 * never: "marker" or another CPU as the holder; a deadlock
 * must: ^shown: CPU 1, task taker-[0-9]+, waited for a spinlock in slot_take\(\)
 * not: marker|deadlock|CPU 0
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/bit-behind-bitmap.ko
 */
#include <linux/bitmap.h>
#include "crash.h"

static struct {
	DECLARE_BITMAP(used, 64);
	spinlock_t lock;
} slots;

static noinline void slot_mark(unsigned int n)
{
	set_bit(n, slots.used);
}

static noinline void slot_take(void)
{
	spin_lock(&slots.lock);
	slot_mark(3);
	spin_unlock(&slots.lock);
}

static int taker(void *unused)
{
	msleep(800);
	slot_take();
	return 0;
}

static int marker(void *unused)
{
	msleep(300);
	slot_mark(UNKNOWN((char *)NULL + 64) - (char *)NULL);
	while (!kthread_should_stop())
		schedule_timeout_idle(HZ);
	return 0;
}

static int __init slots_init(void)
{
	spin_lock_init(&slots.lock);
	run_thread(marker, NULL, 0, "marker");
	return run_thread(taker, NULL, 1, "taker");
}
module_init(slots_init);
