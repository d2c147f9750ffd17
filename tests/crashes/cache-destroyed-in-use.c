// SPDX-License-Identifier: GPL-2.0-only
/*
 * A protocol stops and destroys its cache while a connection still has an object of it.
 *
 * pattern: kmem_cache_destroy() with objects left
 * upstream: the class of "Slab cache still has objects": btrfs, ceph, sctp, dm, nfs (a missing rcu_barrier() or a leaked object)
 * finding: the kernel warned in kmem_cache_destroy(), called by proto_stop() of this module in thread "stopper": the cache conn_cache
 *	still has objects; who has them is not known
 * never: the allocator as damaged; a double free; "pinger"
 * must: ^shown: kmem_cache_destroy\(\), called by proto_stop\(\)
 * region: ^shown: kmem_cache_destroy\(\), called by proto_stop\(\)
 * not: pinger|twice|damaged
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/cache-destroyed-in-use.ko
 */
#include "crash.h"

static struct kmem_cache *conn_cache;
static void *kept;
static u64 pings;

static noinline void proto_open(void)
{
	int i;

	for (i = 0; i < 20; i++) {
		void *conn = kmem_cache_alloc(conn_cache, GFP_KERNEL);

		if (i == 7)
			kept = conn;
		else
			kmem_cache_free(conn_cache, conn);
	}
}

static noinline void proto_stop(void)
{
	kmem_cache_destroy(conn_cache);
	conn_cache = NULL;
}

static int stopper(void *unused)
{
	proto_open();
	msleep(600);
	proto_stop();
	return 0;
}

static int pinger(void *unused)
{
	for (;;) {
		msleep(50);
		pings++;
	}
	return 0;
}

static int __init proto_init(void)
{
	conn_cache = kmem_cache_create("conn_cache", 200, 0, SLAB_HWCACHE_ALIGN | SLAB_POISON, NULL);
	if (!conn_cache)
		return -ENOMEM;
	run_thread(pinger, NULL, 0, "pinger");
	run_thread(stopper, NULL, 1, "stopper");
	return 0;
}
module_init(proto_init);
