// SPDX-License-Identifier: GPL-2.0-only
/*
 * An hrtimer restarts itself with a period of 1 ns; its CPU serves it alone, with interrupts off.
 *
 * pattern: zero period of an hrtimer (sound, PWM, network emulation)
 * upstream: CVE-2024-38618, ALSA: timer: no lower bound of the period
 * finding: lockup of CPU 1 by a timer: period_elapsed() of this module fires all the time (rate)
 * never: the task that was interrupted, "worker", which computes innocently
 * must: ^shown: .*in period_elapsed\(\) .*it had interrupted
 * not: task worker
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/timer-without-pause.ko
 */
#include <linux/hrtimer.h>
#include "crash.h"

static struct hrtimer timer;

static noinline enum hrtimer_restart period_elapsed(struct hrtimer *t)
{
	udelay(20);
	hrtimer_forward(t, hrtimer_get_expires(t), ns_to_ktime(1));
	return HRTIMER_RESTART;
}

static int worker(void *unused)
{
	unsigned long sum = 0;
	int i;

	hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	timer.function = period_elapsed;
	msleep(500);
	hrtimer_start(&timer, ns_to_ktime(100), HRTIMER_MODE_REL_PINNED);
	for (;;) {
		for (i = 0; i < 1000; i++)
			sum += READ_ONCE(i);
		cond_resched();
	}
	return sum;
}

static int updater(void *unused)
{
	msleep(800);
	synchronize_rcu();
	return 0;
}

static int __init period_init(void)
{
	run_thread(updater, NULL, 0, "updater");
	return run_thread(worker, NULL, 1, "worker");
}
module_init(period_init);
