// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A tree marks pointers of dead nodes by an upper bit, and one walk does not take the mark off.  The pointer differs from
 * that of a live object in one bit, as if memory were bad; it is not.
 *
 * pattern: tagged pointers that are used without a mask
 * upstream: the class of missing untagging (lib/assoc_array, lockless lists, DMA tags)
 * finding: node_weight() of this module used a non-canonical pointer, which is that of a node with bit 62 changed
 * never: bad memory (hardware) as shown or likely; freed memory; NULL
 * must: ^shown: node_weight\(\) .*bfff
 * not: hardware|freed|flip|NULL
 * guest: insmod /test/tag-left-in-pointer.ko
 */
#include "crash.h"

#define DEAD (1UL << 62)

struct node {
	struct node *left;
	u64 weight;
};

static struct node *nodes[8];

static noinline u64 node_weight(struct node *n)
{
	return READ_ONCE(n->weight);
}

static struct node *mark(struct node *n)
{
	return (struct node *)((unsigned long)n ^ DEAD);
}

static int walker(void *unused)
{
	u64 sum = 0;
	int i;

	for (i = 0; i < 8; i++)
		nodes[i] = kzalloc(sizeof(struct node), GFP_KERNEL);
	for (i = 0; i < 8; i++)
		sum += node_weight(nodes[i]);
	msleep(200);
	nodes[5] = mark(nodes[5]);
	msleep(100);
	for (i = 0; i < 8; i++)
		sum += node_weight(nodes[i]);
	return sum;
}

static int __init walker_init(void)
{
	return run_thread(walker, NULL, -1, "walker");
}
module_init(walker_init);
