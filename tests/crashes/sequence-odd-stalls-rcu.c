// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  As sequence-left-odd, and RCU is the one that notices.
 *
 * pattern: write_seqcount_begin() without its end in an error path
 * upstream: the class of u64_stats_update_begin() without an end (stats of network drivers)
 * finding: the timer function stats_tick() loops on CPU 1, in read_seqcount_begin()
 * never: "compute"; a spinlock; RCU; the timer code
 * must: ^shown: CPU 1 was in a softirq, in stats_read\(\).*seqcount.*odd
 * not: spinlock
 * guest: echo 0 >/proc/sys/kernel/watchdog
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: insmod /test/sequence-odd-stalls-rcu.ko
 */
#include <linux/seqlock.h>
#include "crash.h"

static seqcount_t sequence = SEQCNT_ZERO(sequence);
static u64 bytes, packets;
static struct timer_list timer;

static noinline int stats_add(int len)
{
	preempt_disable();
	write_seqcount_begin(&sequence);
	if (len < 0) {
		preempt_enable();
		return -EINVAL;
	}
	bytes += len;
	packets++;
	write_seqcount_end(&sequence);
	preempt_enable();
	return 0;
}

static noinline u64 stats_read(void)
{
	unsigned int start;
	u64 sum;

	do {
		start = read_seqcount_begin(&sequence);
		sum = bytes + packets;
	} while (read_seqcount_retry(&sequence, start));
	return sum;
}

static u64 last;

static void stats_tick(struct timer_list *t)
{
	last = stats_read();
	mod_timer(t, jiffies + HZ / 10);
}

static int compute(void *unused)
{
	u64 x = 1;

	timer_setup(&timer, stats_tick, TIMER_PINNED);
	mod_timer(&timer, jiffies + HZ / 10);
	while (!kthread_should_stop()) {
		int i;

		for (i = 0; i < 10000; i++)
			x = x * 6364136223846793005ULL + i;
		cond_resched();
	}
	return x;
}

static int source(void *unused)
{
	int i;

	for (i = 0; i < 100; i++) {
		stats_add(100);
		msleep(10);
	}
	stats_add(-1);
	return 0;
}

static int __init stats_init(void)
{
	run_thread(compute, NULL, 1, "compute");
	return run_thread(source, NULL, 0, "source");
}
module_init(stats_init);
