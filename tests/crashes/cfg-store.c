// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lookup that finds nothing returns without up_read(); its process has ended when the commit work waits for ever.
 *
 * pattern: missing up_read() on an error path
 * upstream: the class of missing unlock on error (smatch finds them by the dozen)
 * finding: cfg_get() came back without up_read(), by an error
 * never: the kworker, which waits to write; the shell that reads behind it
 * must: ^likely: .*cfg_get\(\) .*without up_read\(\)
 * not: kworker/\S+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/cfg-store.ko
 * guest: sh -c 'for i in 1 2 3 4 5; do echo $i >/proc/cfg_get; sleep 0.1; done'
 * guest: sh -c 'echo 99 >/proc/cfg_get' 2>/dev/null || true
 * guest: sleep 2
 * guest: sh -c 'while :; do echo 2 >/proc/cfg_get; sleep 0.5; done' &
 */
#include "crash.h"
#include <linux/rwsem.h>

struct cfg_item {
	struct list_head node;
	u32 key, val, reads;
};

struct cfg_store {
	struct rw_semaphore sem;
	struct list_head items;
	struct delayed_work commit;
	u32 generation, nr;
	u32 last;
};

static struct cfg_store *store;

static struct cfg_item *cfg_find(struct cfg_store *s, u32 key)
{
	struct cfg_item *item;

	list_for_each_entry(item, &s->items, node)
		if (item->key == key)
			return item;
	return NULL;
}

static noinline int cfg_get(struct cfg_store *s, u32 key)
{
	struct cfg_item *item;

	down_read(&s->sem);
	item = cfg_find(s, key);
	if (!item)
		return -ENOENT;
	item->reads++;
	s->last = item->val;
	up_read(&s->sem);
	return 0;
}

static void cfg_commit(struct work_struct *work)
{
	struct cfg_store *s = container_of(to_delayed_work(work), struct cfg_store, commit);
	struct cfg_item *item;

	down_write(&s->sem);
	list_for_each_entry(item, &s->items, node)
		item->val++;
	s->generation++;
	up_write(&s->sem);
	schedule_delayed_work(&s->commit, HZ);
}

static int cfg_get_number(unsigned int key)
{
	return cfg_get(store, key);
}

PROC_NUMBER(cfg, cfg_get_number);

static int __init cfg_init(void)
{
	u32 i;

	store = kzalloc(sizeof(*store), GFP_KERNEL);
	if (!store)
		return -ENOMEM;
	init_rwsem(&store->sem);
	INIT_LIST_HEAD(&store->items);
	for (i = 0; i < 8; i++) {
		struct cfg_item *item = kzalloc(sizeof(*item), GFP_KERNEL);

		if (!item)
			return -ENOMEM;
		item->key = i;
		list_add_tail(&item->node, &store->items);
		store->nr++;
	}
	INIT_DELAYED_WORK(&store->commit, cfg_commit);
	schedule_delayed_work(&store->commit, HZ);
	return proc_create("cfg_get", 0200, NULL, &cfg_pops) ? 0 : -ENOMEM;
}
module_init(cfg_init);
