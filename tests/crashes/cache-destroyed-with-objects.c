// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module is removed and has not freed all objects of its slab cache.  The kernel prints "BUG connection: Objects
 * remaining", which looks like damaged memory.
 *
 * pattern: kmem_cache_destroy() before the last kmem_cache_free()
 * upstream: the class of "kmem_cache_destroy ...: Slab cache still has objects" (nf_conntrack, fuse, rxrpc)
 * finding: panic_on_warn; connection_exit() destroyed cache "connection" with objects in it: a leak of the module
 * never: memory corruption; a double free; rmmod as the culprit; the allocator as broken
 * must: ^shown: .*connection_exit\(\)
 * not: freed an object
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/cache-destroyed-with-objects.ko
 * guest: rmmod cache_destroyed_with_objects
 */
#include "crash.h"

struct connection {
	u64 id;
	char name[136];
};

static struct kmem_cache *cache;
static struct connection *open[5];

/* A cache with a constructor is not merged with others. */
static void connection_construct(void *object)
{
	memset(object, 0, sizeof(struct connection));
}

static int __init connection_init(void)
{
	int i;

	cache = kmem_cache_create("connection", sizeof(struct connection), 0, SLAB_HWCACHE_ALIGN,
				  connection_construct);
	if (!cache)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(open); i++)
		open[i] = kmem_cache_alloc(cache, GFP_KERNEL);
	return 0;
}

static void __exit connection_exit(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(open) - 2; i++)
		kmem_cache_free(cache, open[i]);
	kmem_cache_destroy(cache);
}
module_init(connection_init);
module_exit(connection_exit);
