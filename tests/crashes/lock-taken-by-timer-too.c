// SPDX-License-Identifier: GPL-2.0-only
/*
 * "reporter" holds a spinlock with interrupts on; a timer on the same CPU wants it.
 *
 * pattern: spin_lock() where spin_lock_bh() was needed; lockdep calls it an inconsistent lock state
 * finding: CPU 1 waits for itself: the timer function stats_refresh() spins for stats_lock, which the task it
 *	interrupted, "reporter", holds in stats_report()
 * never: another CPU as the holder; the kernel's timer code; "idler" on CPU 0
 * must: ^likely: CPU 1 waits for itself: .*stats_refresh\(\).*stats_report\(\)
 * not: CPU 0|idler
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/lock-taken-by-timer-too.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(stats_lock);
static struct timer_list refresh;
static u64 total;

static noinline void stats_refresh(struct timer_list *timer)
{
	spin_lock(&stats_lock);
	total++;
	spin_unlock(&stats_lock);
	mod_timer(timer, jiffies + 2);
}

static noinline void stats_report(void)
{
	u64 sum = 0;
	int i;

	spin_lock(&stats_lock);
	for (i = 0; i < 20000; i++)
		sum += READ_ONCE(total) * i;
	total = sum;
	spin_unlock(&stats_lock);
}

static int reporter(void *unused)
{
	timer_setup(&refresh, stats_refresh, TIMER_PINNED);
	mod_timer(&refresh, jiffies + HZ);
	while (!kthread_should_stop()) {
		stats_report();
		cond_resched();
	}
	return 0;
}

static int idler(void *unused)
{
	while (!kthread_should_stop())
		msleep(20);
	return 0;
}

static int __init stats_init(void)
{
	run_thread(idler, NULL, 0, "idler");
	return run_thread(reporter, NULL, 1, "reporter");
}
module_init(stats_init);
