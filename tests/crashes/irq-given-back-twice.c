// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver's error path gives back an interrupt that it never got; panic_on_warn.
 *
 * pattern: free_irq() in the error path of a failed request_irq()
 * upstream: the class of "Trying to free already-free IRQ" (for example 8139cp, i40e probes)
 * finding: a warning, of free_irq() called by remove_card()
 * never: the interrupt controller; free_irq() as what is at fault
 * must: ^shown: .*free_irq\(\), called by remove_card\(\)
 * not: controller
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/irq-given-back-twice.ko
 */
#include <linux/interrupt.h>
#include "crash.h"

static int card;

static noinline void remove_card(int irq)
{
	free_irq(irq, &card);
	barrier();
}

static int __init card_init(void)
{
	msleep(300);
	remove_card(5);
	return 0;
}
module_init(card_init);
