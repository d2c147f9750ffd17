// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A real-time thread polls on CPU 1, where a reader within rcu_read_lock() was preempted and
 * cannot go on.  RCU reports the stall.
 *
 * pattern: RCU priority inversion by a polling real-time thread
 * finding: RCU stall: "reader" was preempted in its section on CPU 1, where real-time "poller" runs without
 *	a break
 * never: "reader" as the cause; the CPU that reported
 * must: ^likely: .*real-time task poller-[0-9]+ has run
 * not: Why reader
 * guest: echo -1 >/proc/sys/kernel/sched_rt_runtime_us
 * guest: echo 0 >/proc/sys/kernel/soft_watchdog
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: mount -t debugfs debug /sys/kernel/debug 2>/dev/null || true
 * guest: echo full >/sys/kernel/debug/sched/preempt
 * guest: insmod /test/rcu-thread-starved.ko
 */
#include "crash.h"

static noinline int poll_port(void)
{
	static u32 port;

	while (!READ_ONCE(port))
		cpu_relax();
	return port;
}

static int poller(void *unused)
{
	sched_set_fifo(current);
	msleep(600);
	return poll_port();
}

static noinline void read_statistics(void)
{
	unsigned long end = jiffies + 2 * HZ;

	rcu_read_lock();
	while (time_before(jiffies, end))
		cpu_relax();
	rcu_read_unlock();
}

static int reader(void *unused)
{
	msleep(300);
	for (;;)
		read_statistics();
	return 0;
}

static int updater(void *unused)
{
	msleep(900);
	synchronize_rcu();
	return 0;
}

static int __init port_init(void)
{
	run_thread(updater, NULL, 0, "updater");
	run_thread(poller, NULL, 1, "poller");
	return run_thread(reader, NULL, 1, "reader");
}
module_init(port_init);
