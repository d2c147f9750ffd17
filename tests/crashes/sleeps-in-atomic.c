// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer's function sleeps.
 *
 * pattern: msleep() or a mutex in a timer or under a spinlock
 * finding: scheduling while atomic: poll_slowly() of this module sleeps in a timer (softirq)
 * never: the interrupted task; the scheduler
 * must: ^shown: .*poll_slowly\(\) .*slept in a timer
 * not: spinlock|swapper
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/sleeps-in-atomic.ko
 */
#include "crash.h"

static struct timer_list timer;

static noinline void poll_slowly(struct timer_list *t)
{
	msleep(5);
	mod_timer(t, jiffies + HZ);
}

static int __init poll_init(void)
{
	timer_setup(&timer, poll_slowly, 0);
	return mod_timer(&timer, jiffies + HZ / 2);
}
module_init(poll_init);
