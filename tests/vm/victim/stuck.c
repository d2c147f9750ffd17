// SPDX-License-Identifier: GPL-2.0-only
/*
 * Holds the CPU that loads it, with interrupts off, for good: what no watchdog of the kernel's ends where
 * the CPU has no counter for it.
 */
#include <linux/irqflags.h>
#include <linux/module.h>
#include <linux/processor.h>

static int __init stuck_init(void)
{
	pr_emerg("stuck: interrupts are off\n");
	local_irq_disable();
	for (;;)
		cpu_relax();
	return 0;
}

module_init(stuck_init);

MODULE_DESCRIPTION("A CPU with interrupts off");
MODULE_LICENSE("GPL");
