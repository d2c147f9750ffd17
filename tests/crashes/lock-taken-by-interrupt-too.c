// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "logger" takes a spinlock with interrupts on; the hrtimer's interrupt on the same CPU wants it too, so CPU 1 is
 * silent for ever.  "asker" on CPU 0 asks CPU 1 for something and is reported.
 *
 * pattern: spin_lock() where spin_lock_irqsave() was needed
 * upstream: the class of lockdep's "inconsistent {HARDIRQ-ON-W} -> {IN-HARDIRQ-W} usage", in syzbot's list at all times
 * finding: CPU 1 waits for itself: sample_expired() spins for log_lock, which log_add() of "logger" holds there
 * never: "asker" or CPU 0 as the cause; that CPU 1 holds something of CPU 0
 * must: ^likely: CPU 0 waited .*probably CPU 1, .*sample_expired\(\)
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/lock-taken-by-interrupt-too.ko
 */
#include <linux/hrtimer.h>
#include <linux/smp.h>
#include "crash.h"

static DEFINE_SPINLOCK(log_lock);
static struct hrtimer sampler;
static u64 lines, sum;

static enum hrtimer_restart sample_expired(struct hrtimer *timer)
{
	spin_lock(&log_lock);
	lines++;
	spin_unlock(&log_lock);
	hrtimer_forward_now(timer, ms_to_ktime(3));
	return HRTIMER_RESTART;
}

static noinline void log_add(void)
{
	int i;

	spin_lock(&log_lock);
	for (i = 0; i < 20000; i++)
		sum += READ_ONCE(lines) * i;
	spin_unlock(&log_lock);
}

static int logger(void *unused)
{
	msleep(1000);
	hrtimer_init(&sampler, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	sampler.function = sample_expired;
	hrtimer_start(&sampler, ms_to_ktime(3), HRTIMER_MODE_REL_PINNED_HARD);
	while (!kthread_should_stop()) {
		log_add();
		cond_resched();
	}
	return 0;
}

static void answer(void *unused)
{
}

static int asker(void *unused)
{
	msleep(3000);
	smp_call_function_single(1, answer, NULL, 1);
	return 0;
}

static int __init log_init(void)
{
	run_thread(logger, NULL, 1, "logger");
	return run_thread(asker, NULL, 0, "asker");
}
module_init(log_init);
