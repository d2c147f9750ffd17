// SPDX-License-Identifier: GPL-2.0-only
/*
 * A tree of free blocks is split in halves.  The size of a leaf comes from the disk, and is larger than the tree: 1 << 31 is below zero,
 * and the buddy of the leaf is far in front of the tree.
 *
 * pattern: a shift by what the disk said
 * upstream: drawn from Debian's changelog: "jfs: fix shift-out-of-bounds in dbSplit"
 * finding: dmap_split() took the buddy of leaf 21 at 1 << (36 - 5), which is below zero, as the leaf says a size of 37; the largest is 10: the disk is damaged, and dmap_load() does not check it
 * never: freed memory; an area that was unmapped; who allocates, dmap_alloc(), as the one that passed a wrong leaf
 * must: ^likely: dmap_split\(\) .*index in R[A-Z]+ has bit 31 set
 * not: freed|unmapped
 * guest: insmod /test/dmap-split.ko
 */
#include "crash.h"

#define L2MIN 5

struct dmap_tree {
	u32 leaves;
	s8 max, min;
	s8 leaf[64];
	u32 *buddies;
};

static struct dmap_tree *tree;
static u32 buddies[64];

static noinline int dmap_split(struct dmap_tree *t, int leaf, int want)
{
	int cur = t->leaf[leaf], size;

	while (cur > want) {
		cur--;
		size = 1 << (cur - L2MIN);
		t->buddies[leaf ^ size] = cur;
	}
	return cur;
}

static noinline int dmap_alloc(struct dmap_tree *t, int leaf, int want)
{
	if (t->leaf[leaf] < want)
		return -ENOSPC;
	return dmap_split(t, leaf, want);
}

static noinline void dmap_load(struct dmap_tree *t, const u8 *block)
{
	int i;

	for (i = 0; i < 64; i++)
		t->leaf[i] = block[i];
	t->max = 10;
	t->min = L2MIN;
	t->buddies = buddies;
}

static int jfs_commit(void *data)
{
	int i;

	for (i = 0; ; i++) {
		dmap_alloc(data, i % 64, L2MIN);
		msleep(30);
	}
	return 0;
}

static int __init dmap_init(void)
{
	u8 block[64];
	int i;

	tree = kzalloc(sizeof(*tree), GFP_KERNEL);
	if (!tree)
		return -ENOMEM;
	for (i = 0; i < 64; i++)
		block[i] = L2MIN + i % 5;
	block[21] = 37;
	dmap_load(tree, block);
	return run_thread(jfs_commit, tree, -1, "jfs-commit");
}
module_init(dmap_init);
