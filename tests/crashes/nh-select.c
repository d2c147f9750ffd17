// SPDX-License-Identifier: GPL-2.0-only
/*
 * The next hops of a route are a ring of siblings.  A reader under RCU walks it, and another CPU takes
 * the sibling out that it stands on, with list_del_init(): that points to itself from then on.
 *
 * pattern: list_del_init() of an entry that readers under RCU may stand on
 * upstream: ipv6: Fix soft lockups in fib6_select_path under high next hop churn
 * finding: nh-rx loops in nh_select_path(), called by nh_receive(): the entry that it stands on points to itself, and is not on the list any more; nh_flush() of nh-bird took it out so
 * never: a lock that it waits for; nh-bird holds something; the watchdog; an interrupt storm
 * must: likely: nh_select_path\(\) .*leads to itself
 * not: spins.*lock|nh-bird-[0-9]+ holds|interrupt storm
 * guest: sysctl -q kernel.watchdog_thresh=5
 * guest: sysctl -q kernel.softlockup_panic=1
 * guest: insmod /test/nh-select.ko
 */
#include <linux/rculist.h>
#include "crash.h"

struct nexthop {
	u32 id;
	int upper;
	struct list_head siblings;
	struct rcu_head rcu;
	u64 bytes;
};

static struct nexthop *nh_first;
static DEFINE_SPINLOCK(nh_lock);

static noinline struct nexthop *nh_select_path(struct nexthop *first, int hash)
{
	struct nexthop *nh;

	list_for_each_entry_rcu(nh, &first->siblings, siblings) {
		if (hash <= READ_ONCE(nh->upper))
			return nh;
		udelay(20);
	}
	return first;
}

static noinline void nh_receive(unsigned int n)
{
	struct nexthop *nh;

	rcu_read_lock();
	nh = nh_select_path(nh_first, 1000 + n % 64);
	nh->bytes += 1500;
	rcu_read_unlock();
}

static int nh_rx(void *data)
{
	unsigned int n;

	for (n = 0; ; n++) {
		nh_receive(n);
		cond_resched();
	}
	return 0;
}

static noinline void nh_add(u32 id)
{
	struct nexthop *nh = kzalloc(sizeof(*nh), GFP_KERNEL);

	if (!nh)
		return;
	nh->id = id;
	nh->upper = id;
	spin_lock(&nh_lock);
	list_add_tail_rcu(&nh->siblings, &nh_first->siblings);
	spin_unlock(&nh_lock);
}

static noinline void nh_flush(void)
{
	struct nexthop *nh = list_last_entry(&nh_first->siblings, struct nexthop, siblings);

	spin_lock(&nh_lock);
	list_del_init(&nh->siblings);
	spin_unlock(&nh_lock);
	kfree_rcu(nh, rcu);
}

static int nh_bird(void *data)
{
	u32 id = 100;

	for (;;) {
		nh_add(id++ % 900);
		msleep(12);
		nh_flush();
	}
	return 0;
}

static int __init nh_init(void)
{
	u32 i;

	nh_first = kzalloc(sizeof(*nh_first), GFP_KERNEL);
	if (!nh_first)
		return -ENOMEM;
	INIT_LIST_HEAD(&nh_first->siblings);
	for (i = 1; i < 5; i++)
		nh_add(i);
	run_thread(nh_rx, NULL, 0, "nh-rx");
	return run_thread(nh_bird, NULL, 1, "nh-bird");
}
module_init(nh_init);
