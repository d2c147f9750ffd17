// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work that does not sleep as long as the module is there: no other of that CPU's works comes, while
 * tasks, interrupts and RCU go on.
 */
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

static unsigned int cpu;
module_param(cpu, uint, 0444);

static bool is_over;

static void keep_busy(struct work_struct *unused)
{
	while (!READ_ONCE(is_over))
		cond_resched();
}
static DECLARE_WORK(busy, keep_busy);

static int __init busy_init(void)
{
	schedule_work_on(cpu, &busy);
	return 0;
}

static void __exit busy_exit(void)
{
	WRITE_ONCE(is_over, true);
	flush_work(&busy);
}

module_init(busy_init);
module_exit(busy_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A work that keeps the works of a CPU waiting");
