// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lease is freed while "renewer" has its address. "clerk" takes the same memory and writes but the first bytes of it: the
 * lease's pointer is still what the allocator had put there.
 *
 * pattern: a stale pointer to an object that was freed and given out again, without zeroes
 * upstream: the class of use-after-free behind a timeout that forgets a second user
 * finding: lease_renew() used the allocator's link between free objects as a pointer: the lease had been freed
 * never: clerk; NULL; a pointer that was overwritten by text
 * must: ^likely: lease_renew\(\) of module lease_kept_by_renewer.*link
 * not: clerk|NULL
 * append: init_on_alloc=0
 * guest: insmod /test/lease-kept-by-renewer.ko
 */
#include "crash.h"

struct pool {
	u64 id;
	u64 leases;
};

struct lease {
	u64 id;
	u64 until;
	u64 rest[67];
	struct pool *pool;	/* in the middle, where the allocator has its link */
	u64 more[69];
};

static struct pool pool;
static struct lease *lease;
static u64 renewed;

/* Leases and the clerk's notes are of one size, and of one cache. */
static struct kmem_cache *papers;

static noinline u64 lease_renew(struct lease *l)
{
	l->until++;
	return l->pool->leases + l->id;
}

static int renewer(void *unused)
{
	struct lease *mine = lease;

	for (;;) {
		WRITE_ONCE(renewed, renewed + lease_renew(mine));
		msleep(20);
	}
	return 0;
}

static int clerk(void *unused)
{
	u64 *note;
	int i;

	msleep(700);
	kmem_cache_free(papers, lease);
	for (i = 0; i < 20000; i++) {
		note = kmem_cache_alloc(papers, GFP_KERNEL);
		if (!note)
			break;
		note[0] = i;
		if (note == (void *)lease)
			break;
	}
	return 0;
}

static int __init lease_init(void)
{
	papers = kmem_cache_create("papers", sizeof(*lease), 0, 0, NULL);
	if (!papers)
		return -ENOMEM;
	lease = kmem_cache_zalloc(papers, GFP_KERNEL);
	if (!lease)
		return -ENOMEM;
	lease->pool = &pool;
	run_thread(renewer, NULL, raw_smp_processor_id(), "renewer");
	return run_thread(clerk, NULL, raw_smp_processor_id(), "clerk");
}
module_init(lease_init);
