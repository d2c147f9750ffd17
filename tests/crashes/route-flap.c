// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A daemon replaces routes and frees the old ones by RCU, as it should.  A reader sits in a section of RCU for ever:
 * no grace period ends, what waits for one fills the memory.
 *
 * pattern: callbacks of RCU pile up behind a reader that does not come back; out of memory
 * upstream: the class of "rcu: OOM by callback flooding" (dentry and file churn beside a stuck reader)
 * finding: the memory is full of struct route that wait for a grace period, which cannot end: "sampler" stays within rcu_read_lock() in sampler_wait()
 * never: routed, which frees all that it takes, as one that leaks; no leak of routes; a task of user space
 * must: ^likely: Memory ran out: [0-9]+ objects, .*wait for RCU's grace period
 * not: routed|leak|never free
 * guest: echo 1 >/proc/sys/vm/panic_on_oom
 * guest: echo 1 >/sys/module/rcupdate/parameters/rcu_cpu_stall_suppress
 * guest: insmod /test/route-flap.ko
 */
#include "crash.h"

struct route {
	u32 dst, gw, metric, flags;
	struct rcu_head rcu;
	u8 stats[960];
};

static struct route __rcu *current_route;
static u32 flaps, stop;

static noinline void route_replace(u32 gw)
{
	struct route *route = kzalloc(sizeof(*route), GFP_KERNEL), *old;

	if (!route)
		return;
	route->gw = gw;
	old = rcu_replace_pointer(current_route, route, 1);
	if (old)
		kfree_rcu(old, rcu);
}

static int routed(void *unused)
{
	for (;;) {
		route_replace(++flaps);
		if (flaps % 256 == 0)
			usleep_range(1000, 1500);
	}
	return 0;
}

static noinline u32 sampler_wait(void)
{
	u32 gw = 0;

	rcu_read_lock();
	while (!READ_ONCE(stop)) {
		gw += rcu_dereference(current_route)->gw;
		cpu_relax();
	}
	rcu_read_unlock();
	return gw;
}

static int sampler(void *unused)
{
	msleep(1500);
	return sampler_wait();
}

static int __init route_init(void)
{
	route_replace(0);
	run_thread(sampler, NULL, 1, "sampler");
	return run_thread(routed, NULL, 0, "routed");
}
module_init(route_init);
