// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  "drainer" has ring_lock, a spinlock, and polls for a bit of its device that never comes.  "sampler", of real-time
 * priority, spins for ring_lock on CPU 1, where "stats" had stats_lock, a mutex, and was preempted.  "config" waits for that.
 *
 * pattern: a spinlock is held while a device is polled without a limit
 * upstream: the class of readl() loops without a timeout under a lock (e1000, qla2xxx, cxgb)
 * finding: "config" waits for stats_lock of "stats", which cannot run beside "sampler", which spins for a spinlock; who has
 *	that is drain_ring() on another CPU
 * never: "sampler" as the cause: it waits as well; a deadlock
 * must: ^likely: .*config-[0-9]+ .*stats-[0-9]+ .*CPU 1.*sampler-[0-9]+ .*waits for a spinlock
 * not: lets no other run|deadlock
 * qemu: -smp 3
 * guest: echo -1 >/proc/sys/kernel/sched_rt_runtime_us
 * guest: echo 5 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 2 >/proc/sys/kernel/hung_task_check_interval_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/behind-a-spinner.ko
 */
#include "crash.h"

static DEFINE_MUTEX(stats_lock);
static DEFINE_SPINLOCK(ring_lock);
static u64 samples, sum, drained;
static u32 status = 1;

static noinline void drain_ring(void)
{
	spin_lock(&ring_lock);
	while (!READ_ONCE(status))
		cpu_relax();
	drained++;
	spin_unlock(&ring_lock);
}

static int drainer(void *unused)
{
	int i;

	for (i = 0;; i++) {
		msleep(30);
		if (i == 60)
			WRITE_ONCE(status, 0);
		drain_ring();
	}
	return 0;
}

static noinline void take_sample(void)
{
	/* It preempts the sums. */
	while (!READ_ONCE(status) && !mutex_is_locked(&stats_lock))
		usleep_range(500, 900);
	spin_lock(&ring_lock);
	samples++;
	spin_unlock(&ring_lock);
}

static int sampler(void *unused)
{
	sched_set_fifo(current);
	for (;;) {
		take_sample();
		msleep(20);
	}
	return 0;
}

static noinline void stats_sum(void)
{
	int i;

	mutex_lock(&stats_lock);
	for (i = 0; i < 200; i++) {
		mdelay(1);
		sum += samples;
		cond_resched();
	}
	mutex_unlock(&stats_lock);
}

static int stats(void *unused)
{
	for (;;) {
		stats_sum();
		msleep(2);
	}
	return 0;
}

static int config(void *unused)
{
	for (;;) {
		msleep(250);
		mutex_lock(&stats_lock);
		sum = 0;
		mutex_unlock(&stats_lock);
	}
	return 0;
}

static int __init behind_init(void)
{
	run_thread(config, NULL, 0, "config");
	run_thread(stats, NULL, 1, "stats");
	run_thread(sampler, NULL, 1, "sampler");
	return run_thread(drainer, NULL, 2, "drainer");
}
module_init(behind_init);
