// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A lookup that finds nothing returns without rcu_read_unlock().  The task is back in user space, where it
 * computes; it is preempted, and RCU waits for it.  Where it is now has nothing to do with it.
 *
 * pattern: missing rcu_read_unlock() on an error path
 * upstream: the class of "fix missing rcu_read_unlock()" (tipc, cifs, smc, netlabel; CVE-2021-47274's kin)
 * finding: RCU stall: "sh" is in user space and within rcu_read_lock(): a system call came back with it
 * never: the user's loop; "looker", which looks up rightly; RCU's thread; an interrupt of the tick
 * must: ^shown: .*in user space and still within rcu_read_lock
 * region: ^shown: .*in user space
 * not: looker|lookup
 * guest: echo 0 >/proc/sys/kernel/soft_watchdog
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/rcu-unlock-missing.ko
 * guest: sh -c 'echo 7 >/proc/route_lookup 2>/dev/null; while :; do :; done'
 */
#include <linux/rcupdate.h>
#include "crash.h"

static int routes[4] = { 1, 2, 3, 4 };
static int hits;

static noinline int lookup(unsigned int key)
{
	int i;

	rcu_read_lock();
	for (i = 0; i < ARRAY_SIZE(routes); i++)
		if (READ_ONCE(routes[i]) == key)
			break;
	if (i == ARRAY_SIZE(routes))
		return -ENOENT;
	hits++;
	rcu_read_unlock();
	return 0;
}
PROC_NUMBER(route_lookup, lookup);

static int looker(void *unused)
{
	for (;;) {
		lookup(2);
		msleep(10);
	}
	return 0;
}

static int __init routes_init(void)
{
	run_thread(looker, NULL, 0, "looker");
	return proc_create("route_lookup", 0600, NULL, &route_lookup_pops) ? 0 : -ENOMEM;
}
module_init(routes_init);
