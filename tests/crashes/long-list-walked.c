// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A list of routes has grown far too long, and for each new one the whole list is searched under a spinlock.
 * There is no cycle in it, and the CPU goes on; it only takes long.  "collector" on the other CPU waits for the lock.
 *
 * pattern: quadratic search with a lock held
 * upstream: CVE-2019-11478, tcp: a remote makes the retransmission queue long
 * finding: soft lockup of CPU 1 by "router" in routes_search(), which holds routes_lock
 * never: "collector" as the culprit; a cycle in the list; a corrupt list; a deadlock
 * must: ^shown: CPU 1 .*router-[0-9]+ in routes_search\(\)
 * not: collector|cycle|deadlock
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/long-list-walked.ko
 */
#include "crash.h"

struct route {
	struct list_head list;
	u32 key;
};

static LIST_HEAD(routes);
static DEFINE_SPINLOCK(routes_lock);
static unsigned long count;

static noinline bool routes_search(u32 key)
{
	struct route *r;

	list_for_each_entry(r, &routes, list) {
		if (READ_ONCE(r->key) == key)
			return true;
	}
	return false;
}

static int router(void *unused)
{
	u32 key;

	for (key = 0; key < 200000; key++) {
		struct route *r = kmalloc(sizeof(*r), GFP_KERNEL);

		r->key = key;
		list_add(&r->list, &routes);
		cond_resched();
	}
	msleep(100);
	spin_lock(&routes_lock);
	for (key = 1000000; key < 2000000; key++)
		count += routes_search(key);
	spin_unlock(&routes_lock);
	return 0;
}

static int collector(void *unused)
{
	for (;;) {
		msleep(3000);
		spin_lock(&routes_lock);
		count++;
		spin_unlock(&routes_lock);
	}
	return 0;
}

static int __init routes_init(void)
{
	run_thread(collector, NULL, 0, "collector");
	return run_thread(router, NULL, 1, "router");
}
module_init(routes_init);
