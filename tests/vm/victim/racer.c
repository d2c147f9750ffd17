// SPDX-License-Identifier: GPL-2.0-only
/* A data race on purpose, by which a test sees that its kernel finds one: all CPUs count at once. */
#include <linux/module.h>
#include <linux/smp.h>

static unsigned long count;

static void count_on(void *unused)
{
	int i;

	for (i = 0; i < 200000; i++) {
		count++;
		barrier();
	}
}

static int __init racer_init(void)
{
	on_each_cpu(count_on, NULL, true);
	return 0;
}

static void __exit racer_exit(void)
{
}

module_init(racer_init);
module_exit(racer_exit);

MODULE_DESCRIPTION("A data race on purpose");
MODULE_LICENSE("GPL");
