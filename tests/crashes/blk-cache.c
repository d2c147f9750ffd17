// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The module is unloaded with its shrinker registered; the next who frees caches, with another module loaded
 * since, calls into what is gone.
 *
 * pattern: unregister_shrinker() missing at exit
 * upstream: the class of shrinkers left registered (ttm, gfs2/bcache on error paths)
 * modules: dummy
 * finding: the shrinker of blk_cache was left registered when that was unloaded
 * never: the shell; the module `dummy`, which has that memory now
 * must: ^likely: do_shrink_slab\(\) .*of module blk_cache
 * not: of module dummy
 * kernels: 6.1
 * guest: insmod /test/blk-cache.ko
 * guest: sleep 1
 * guest: rmmod blk_cache
 * guest: sleep 2
 * guest: load_modules /lib/modules
 * guest: sleep 1
 * guest: sh -c 'echo 2 >/proc/sys/vm/drop_caches'
 */
#include "crash.h"
#include <linux/shrinker.h>

struct cached {
	struct list_head node;
	u32 block, hits;
	u8 data[128];
};

struct blk_cache {
	struct list_head lru;
	spinlock_t lock;
	struct shrinker shrinker;
	u32 nr, evicted;
};

static struct blk_cache cache;

static unsigned long cache_count(struct shrinker *sh, struct shrink_control *sc)
{
	struct blk_cache *c = container_of(sh, struct blk_cache, shrinker);

	return READ_ONCE(c->nr);
}

static unsigned long cache_scan(struct shrinker *sh, struct shrink_control *sc)
{
	struct blk_cache *c = container_of(sh, struct blk_cache, shrinker);
	unsigned long freed = 0;
	struct cached *e;

	spin_lock(&c->lock);
	while (freed < sc->nr_to_scan && !list_empty(&c->lru)) {
		e = list_first_entry(&c->lru, struct cached, node);
		list_del(&e->node);
		kfree(e);
		c->nr--;
		c->evicted++;
		freed++;
	}
	spin_unlock(&c->lock);
	return freed;
}

static int cache_fill(struct blk_cache *c, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++) {
		struct cached *e = kzalloc(sizeof(*e), GFP_KERNEL);

		if (!e)
			return -ENOMEM;
		e->block = i;
		list_add_tail(&e->node, &c->lru);
		c->nr++;
	}
	return 0;
}

static int __init blk_cache_init(void)
{
	int err;

	INIT_LIST_HEAD(&cache.lru);
	spin_lock_init(&cache.lock);
	cache.shrinker.count_objects = cache_count;
	cache.shrinker.scan_objects = cache_scan;
	cache.shrinker.seeks = DEFAULT_SEEKS;
	err = register_shrinker(&cache.shrinker, "blk-cache");
	return err ? err : cache_fill(&cache, 64);
}
module_init(blk_cache_init);

static void __exit blk_cache_exit(void)
{
	struct cached *e, *next;

	list_for_each_entry_safe(e, next, &cache.lru, node) {
		list_del(&e->node);
		kfree(e);
	}
}
module_exit(blk_cache_exit);
