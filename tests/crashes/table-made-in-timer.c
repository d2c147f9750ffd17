// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A timer's function makes its table larger, with vmalloc(), which an interrupt may not do: the kernel has a
 * BUG_ON() for it.  The timer interrupts "cruncher", which computes.
 *
 * pattern: vmalloc() in a timer's function
 * upstream: the class of "use GFP_ATOMIC kzalloc() instead of vmalloc() in interrupt context" (wireless statistics, bnx2x)
 * finding: BUG in __get_vm_area_node(): grow_table(), a timer's function of this module, called vmalloc() in an interrupt
 * never: "cruncher"; that memory is short; vmalloc's code as author
 * must: ^likely: .*called by grow_table\(\) .*vmalloc\(\) or the like was called in an interrupt
 * region: ^likely: .*called by grow_table\(\)
 * not: cruncher
 * guest: insmod /test/table-made-in-timer.ko
 */
#include <linux/vmalloc.h>
#include "crash.h"

static void grow_table(struct timer_list *timer);
static DEFINE_TIMER(grow_timer, grow_table);
static void *table;
static unsigned long turns;

static void grow_table(struct timer_list *timer)
{
	table = __vmalloc(64 * PAGE_SIZE, GFP_ATOMIC);
	mod_timer(&grow_timer, jiffies + HZ);
}

static int cruncher(void *unused)
{
	mod_timer(&grow_timer, jiffies + HZ / 2);
	for (;;) {
		turns++;
		cond_resched();
	}
	return 0;
}

static int __init table_init(void)
{
	return run_thread(cruncher, NULL, 1, "cruncher");
}
module_init(table_init);
