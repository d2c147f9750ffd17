// SPDX-License-Identifier: GPL-2.0-only
/*
 * "unbinder" stops a timer and waits for its function, with the spinlock held that this function wants, on another CPU.
 *
 * pattern: del_timer_sync() under the lock of the timer's function
 * upstream: the class of AB-BA of a spinlock and a running timer (ip_vti, rose, sungem, isdn)
 * finding: deadlock: CPU 1's timer function link_check() spins for link_lock, which "unbinder" holds on CPU 0 in
 *	link_unbind(); that one waits in the kernel's timer code for the end of link_check()
 * never: link_check() as one that loops by itself; the kernel's timer code as guilty; "counter" on either CPU
 * must: ^likely: A deadlock: .*unbinder-[0-9]+, in link_unbind\(\) .*link_check\(\)
 * region: ^likely: A deadlock: .*link_check\(\)
 * not: counter
 * kernels: 6.1 6.12
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/timer-stopped-under-its-lock.ko
 */
#include "crash.h"

static DEFINE_SPINLOCK(link_lock);
static struct timer_list check_timer;
static u64 checks, counted;
static bool entered;

static noinline void link_check(struct timer_list *timer)
{
	WRITE_ONCE(entered, true);
	mdelay(20);
	spin_lock(&link_lock);
	checks++;
	spin_unlock(&link_lock);
}

static noinline void link_unbind(void)
{
	spin_lock(&link_lock);
	checks = 0;
	while (!READ_ONCE(entered))
		cpu_relax();
	del_timer_sync(&check_timer);
	spin_unlock(&link_lock);
}

static int unbinder(void *unused)
{
	msleep(500);
	link_unbind();
	return 0;
}

static int starter(void *unused)
{
	msleep(400);
	timer_setup(&check_timer, link_check, TIMER_PINNED);
	mod_timer(&check_timer, jiffies + HZ / 2);
	return 0;
}

static int counter(void *unused)
{
	for (;;) {
		msleep(50);
		counted++;
	}
	return 0;
}

static int __init link_init(void)
{
	run_thread(counter, NULL, 1, "counter");
	run_thread(unbinder, NULL, 0, "unbinder");
	run_thread(starter, NULL, 1, "starter");
	return 0;
}
module_init(link_init);
