// SPDX-License-Identifier: GPL-2.0-only
/*
 * A task waits for all readers of RCU to end, inside of its own reading section.  "flusher" and others who wait for RCU
 * hang as well.
 *
 * pattern: synchronize_rcu() somewhere below rcu_read_lock()
 * upstream: the class of "sleeping function called in RCU read-side critical section", syzbot
 * finding: "walker" waits for RCU inside of its own RCU section, in rule_replace()
 * never: "flusher"; a CPU as stuck; a lock's owner; rcu_preempt (the thread) as the culprit
 * must: ^likely: walker-[0-9]+ waits for itself
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/waits-for-rcu-in-reader.ko
 */
#include <linux/rcupdate.h>
#include "crash.h"

static noinline void rule_replace(void)
{
	synchronize_rcu();
}

static noinline void rules_walk(void)
{
	rcu_read_lock();
	rule_replace();
	rcu_read_unlock();
}

static int walker(void *unused)
{
	msleep(1000);
	rules_walk();
	return 0;
}

static int flusher(void *unused)
{
	msleep(500);
	for (;;) {
		synchronize_rcu();
		msleep(100);
	}
	return 0;
}

static int __init rules_init(void)
{
	run_thread(flusher, NULL, -1, "flusher");
	return run_thread(walker, NULL, -1, "walker");
}
module_init(rules_init);
