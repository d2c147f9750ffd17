// SPDX-License-Identifier: GPL-2.0-only
/*
 * A deadline is taken out of a red-black tree when it expires, and once more when its owner closes, as nothing marks it as being
 * outside.  The tree has other nodes by then.
 *
 * pattern: rb_erase() of a node that is in no tree
 * upstream: netfilter nft_set_rbtree, i915 vma and binder: the class of rb_erase() without RB_CLEAR_NODE()
 * finding: rb_erase() met a NULL or a wild pointer, called by deadline_close() of this module, in thread "closer": the node was not
 *	in the tree
 * never: rb_erase() or the kernel's library as guilty; deadline_add() or "feeder"; freed memory
 * must: ^shown: rb_erase\(\), which worked for deadline_close\(\)
 * region: ^shown: rb_erase\(\), which worked for deadline_close\(\)
 * not: deadline_add|feeder|freed
 * guest: insmod /test/node-erased-twice.ko
 */
#include <linux/rbtree.h>
#include "crash.h"

struct deadline {
	struct rb_node node;
	unsigned long when;
};

static struct rb_root tree = RB_ROOT;
static struct deadline all[8];
static DEFINE_MUTEX(tree_lock);
static u32 nr_closed;

static noinline void deadline_add(struct deadline *deadline)
{
	struct rb_node **link = &tree.rb_node, *parent = NULL;

	while (*link) {
		parent = *link;
		if (deadline->when < rb_entry(parent, struct deadline, node)->when)
			link = &parent->rb_left;
		else
			link = &parent->rb_right;
	}
	rb_link_node(&deadline->node, parent, link);
	rb_insert_color(&deadline->node, &tree);
}

static noinline void deadline_expire(struct deadline *deadline)
{
	mutex_lock(&tree_lock);
	rb_erase(&deadline->node, &tree);
	mutex_unlock(&tree_lock);
}

static noinline void deadline_close(struct deadline *deadline)
{
	mutex_lock(&tree_lock);
	nr_closed++;
	rb_erase(&deadline->node, &tree);
	mutex_unlock(&tree_lock);
}

static int feeder(void *unused)
{
	int i;

	for (i = 0; i < 8; i++) {
		mutex_lock(&tree_lock);
		all[i].when = i * 10;
		deadline_add(&all[i]);
		mutex_unlock(&tree_lock);
		msleep(20);
	}
	return 0;
}

static int expirer(void *unused)
{
	int i;

	msleep(400);
	for (i = 0; i < 7; i++)
		deadline_expire(&all[i]);
	return 0;
}

static int closer(void *unused)
{
	int i;

	msleep(800);
	for (i = 7; i >= 0; i--)
		deadline_close(&all[i]);
	return 0;
}

static int __init deadline_init(void)
{
	run_thread(feeder, NULL, 0, "feeder");
	run_thread(expirer, NULL, 1, "expirer");
	run_thread(closer, NULL, 0, "closer");
	return 0;
}
module_init(deadline_init);
