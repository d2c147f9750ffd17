// SPDX-License-Identifier: GPL-2.0-only
/*
 * "rx-poll", of real-time priority, tries a mutex again and again; who holds it, "stats", has the same CPU, and never
 * gets it.  "config" waits too.
 *
 * pattern: priority inversion: mutex_trylock() in a loop at real-time priority
 * upstream: the class of RT threads that poll, as with dvb, spi and net drivers under PREEMPT_RT
 * finding: "config" waits for queue_lock of "stats", which can run, but CPU 1 has the real-time task "rx-poll"
 * never: a deadlock; "stats" or "config" as the cause
 * must: ^likely: .*config-[0-9]+ .*stats-[0-9]+ .*CPU 1.*rx-poll-[0-9]+
 * not: deadlock
 * guest: echo -1 >/proc/sys/kernel/sched_rt_runtime_us
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/can-queue.ko
 */
#include "crash.h"

static DEFINE_MUTEX(queue_lock);
static u64 frames, sum;

static noinline void rx_poll_once(void)
{
	while (!mutex_trylock(&queue_lock))
		cond_resched();
	frames++;
	mutex_unlock(&queue_lock);
}

static int rx_poll(void *unused)
{
	sched_set_fifo(current);
	for (;;) {
		rx_poll_once();
		msleep(20);
	}
	return 0;
}

static noinline void stats_sum(void)
{
	int i;

	mutex_lock(&queue_lock);
	for (i = 0; i < 60; i++) {
		mdelay(1);
		sum += frames;
		cond_resched();
	}
	mutex_unlock(&queue_lock);
}

static int stats(void *unused)
{
	for (;;) {
		msleep(700);
		stats_sum();
	}
	return 0;
}

static int config(void *unused)
{
	for (;;) {
		msleep(250);
		mutex_lock(&queue_lock);
		frames = 0;
		mutex_unlock(&queue_lock);
	}
	return 0;
}

static int __init can_init(void)
{
	run_thread(config, NULL, 0, "config");
	run_thread(stats, NULL, 1, "stats");
	return run_thread(rx_poll, NULL, 1, "rx-poll");
}
module_init(can_init);
