// SPDX-License-Identifier: GPL-2.0-only
/*
 * Entries are moved to another list under a reader of the first.
 *
 * pattern: list_move() of an entry that RCU readers walk over (bridge fdb, nfsd filecache, xfrm, afs)
 * finding: fdb_park() of agerd moved entries to "parked" while fdb_dump() was at them: it goes round there, never finds its head
 * never: bridgemon as the guilty one, netcfg
 * must: likely: fdb_dump\(\) of module fdb_age goes round a list without end
 * shows: the way round leads over parked
 * guest: echo 5 >/sys/module/rcupdate/parameters/rcu_cpu_stall_timeout
 * guest: echo 1 >/proc/sys/kernel/panic_on_rcu_stall
 * guest: insmod /test/fdb-age.ko
 * guest: while :; do read line </proc/uptime; sleep 0.2; done
 */
#include <linux/rculist.h>
#include "crash.h"

struct fdb_entry {
	struct list_head node;
	u8 mac[6];
	u16 vlan;
	u32 used, flags;
	u64 hits;
};

static LIST_HEAD(active);
static LIST_HEAD(parked);
static DEFINE_SPINLOCK(fdb_lock);
static u32 now_tick;

static noinline void fdb_add(u32 i)
{
	struct fdb_entry *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return;
	f->mac[0] = 2;
	f->mac[5] = i;
	f->vlan = i % 16;
	f->used = now_tick + i % 16;
	spin_lock(&fdb_lock);
	list_add_tail_rcu(&f->node, &active);
	spin_unlock(&fdb_lock);
}

static noinline u32 fdb_fill(struct fdb_entry *f)
{
	udelay(30);
	return f->vlan + f->flags;
}

static noinline u32 fdb_dump(void)
{
	struct fdb_entry *f;
	u32 sum = 0;

	rcu_read_lock();
	list_for_each_entry_rcu(f, &active, node)
		sum += fdb_fill(f);
	rcu_read_unlock();
	return sum;
}

static noinline void fdb_park(u32 limit)
{
	struct fdb_entry *f, *next;

	spin_lock(&fdb_lock);
	list_for_each_entry_safe(f, next, &active, node)
		if ((int)(now_tick - f->used) > (int)limit)
			list_move_tail(&f->node, &parked);
	spin_unlock(&fdb_lock);
}

static int bridgemon(void *unused)
{
	u32 sum = 0;

	for (;;) {
		sum += fdb_dump();
		usleep_range(800, 1000);
	}
	return sum;
}

static int learnd(void *unused)
{
	u32 i;

	for (i = 0; i < 400; i++) {
		fdb_add(i);
		usleep_range(6000, 9000);
	}
	return 0;
}

static int agerd(void *unused)
{
	for (;;) {
		msleep(50);
		now_tick++;
		fdb_park(4);
	}
	return 0;
}

static int netcfg(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		msleep(60);
		synchronize_rcu();
	}
	return 0;
}

static int __init fdb_init(void)
{
	u32 i;

	for (i = 0; i < 180; i++)
		fdb_add(i);
	run_thread(netcfg, NULL, 0, "netcfg");
	run_thread(bridgemon, NULL, 1, "bridgemon");
	run_thread(learnd, NULL, 0, "learnd");
	return run_thread(agerd, NULL, 0, "agerd");
}
module_init(fdb_init);
