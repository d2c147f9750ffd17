// SPDX-License-Identifier: GPL-2.0-only
/*
 * A table is allocated by kvmalloc(), which falls back to vmalloc() because it is large, and is
 * freed by kfree().
 *
 * pattern: kfree() of what kvmalloc() gave; fixed by kvfree() in many drivers
 * finding: kfree() got a pointer that is not of the slab, an address of vmalloc; table_resize() of this
 *	module gave it
 * never: a use after free; a damaged allocator; kfree() itself
 * must: ^likely: table_resize\(\) .*gave kfree\(\) the address
 * not: freed memory
 * guest: insmod /test/kfree-of-vmalloc.ko
 */
#include "crash.h"

static noinline void table_resize(void **table)
{
	kfree(*table);
	*table = NULL;
}

static int resize(void *unused)
{
	void *table = kvmalloc(24 << 20, GFP_KERNEL);

	msleep(300);
	if (table)
		table_resize(UNKNOWN(&table));
	return 0;
}

static int __init table_init(void)
{
	return run_thread(resize, NULL, -1, "resize");
}
module_init(table_init);
