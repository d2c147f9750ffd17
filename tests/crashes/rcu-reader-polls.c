// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lookup under rcu_read_lock() retries for ever, because an entry points to itself.
 *
 * pattern: endless walk of a hash chain that became a circle, under RCU
 * finding: RCU stall on CPU 1: "lookup" in find_entry() of this module, within a read-side section
 * never: the grace-period kthread; the CPU that reported
 * must: ^shown: .*CPU 1 .*find_entry\(\) .*lookup-
 * not: rcu_preempt|CPU 0
 * guest: echo 0 >/proc/sys/kernel/soft_watchdog
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/rcu-reader-polls.ko
 * guest: sleep 1
 */
#include "crash.h"

struct entry {
	struct entry *next;
	int key;
};

static struct entry circle = { .next = &circle, .key = 1 };

static noinline struct entry *find_entry(int key)
{
	struct entry *e;

	for (e = READ_ONCE(circle.next); e; e = READ_ONCE(e->next))
		if (READ_ONCE(e->key) == key)
			break;
	return e;
}

static int lookup(void *unused)
{
	msleep(300);
	rcu_read_lock();
	find_entry(2);
	rcu_read_unlock();
	return 0;
}

static int __init lookup_init(void)
{
	return run_thread(lookup, NULL, 1, "lookup");
}
module_init(lookup_init);
