// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the CPU that loads it, with interrupts off, for good: what no watchdog of the kernel's ends where
 * the CPU has no counter for it.  It asks for one work before, and for one on another CPU meanwhile.
 */
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/processor.h>
#include <linux/smp.h>
#include <linux/workqueue.h>
#include "compat.h"

static void work_of_the_stuck(struct work_struct *unused)
{
}
static DECLARE_WORK(own, work_of_the_stuck);

static void work_beside_the_stuck(struct work_struct *unused)
{
}
static DECLARE_WORK(beside, work_beside_the_stuck);

/* By no jiffies: the CPU that is stuck may be the one that counts them. */
static enum hrtimer_restart ask_beside(struct hrtimer *unused)
{
	schedule_work(&beside);
	return HRTIMER_NORESTART;
}
static struct hrtimer later;

static void ask_later(void *unused)
{
	hrtimer_start(&later, ms_to_ktime(500), HRTIMER_MODE_REL_PINNED);
}

static int __init stuck_init(void)
{
	unsigned int other;

	preempt_disable();
	other = cpumask_any_but(cpu_online_mask, smp_processor_id());
	hrtimer_setup(&later, ask_beside, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED);
	if (other < nr_cpu_ids)
		smp_call_function_single(other, ask_later, NULL, true);
	pr_emerg("stuck: interrupts are off\n");
	local_irq_disable();
	schedule_work(&own);
	for (;;)
		cpu_relax();
	return 0;
}

module_init(stuck_init);

MODULE_DESCRIPTION("A CPU with interrupts off");
MODULE_LICENSE("GPL");
