// SPDX-License-Identifier: GPL-2.0-only
/*
 * A length of user space is given to kmalloc() as it is; the kernel warns, and panic_on_warn is set.
 *
 * pattern: kmalloc() with an unchecked length
 * upstream: the class of "WARNING in __alloc_pages", in syzbot's list at all times
 * finding: a warning of the page allocator: table_set() asked for more memory than can be in one piece
 * never: out of memory; the page allocator as broken; a leak
 * must: ^likely: table_set\(\) .*asked for more memory in one piece
 * not: ran out|leak
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/length-of-user-allocated.ko
 * guest: echo 80000000 >/sys/module/length_of_user_allocated/parameters/table
 */
#include <linux/moduleparam.h>
#include "crash.h"

static void *table;

static noinline int table_set(size_t length)
{
	table = kmalloc(length, GFP_KERNEL);
	return table ? 0 : -ENOMEM;
}

static int table_param(const char *text, const struct kernel_param *param)
{
	unsigned long length;

	return kstrtoul(text, 0, &length) ?: table_set(length);
}

static const struct kernel_param_ops table_ops = { .set = table_param };
module_param_cb(table, &table_ops, NULL, 0200);

static int __init table_init(void)
{
	return 0;
}
module_init(table_init);
