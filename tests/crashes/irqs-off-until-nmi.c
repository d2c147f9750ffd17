// SPDX-License-Identifier: GPL-2.0-only
/*
 * A CPU loops with interrupts off; no watchdog sees that here.  A person presses the NMI button.
 *
 * pattern: hard lockup; dump by the NMI button (unknown_nmi_panic)
 * finding: panic by NMI; CPU 1 is in wait_ready() of this module with interrupts off, since when
 * never: the hardware as broken because of the NMI; the CPU that took the NMI if it was idle
 * x86: a button for an NMI
 * must: ^likely: .*driver-[0-9]+, in wait_ready\(\) .*interrupts off
 * not: swapper|hardware
 * guest: echo 1 >/proc/sys/kernel/unknown_nmi_panic
 * guest: echo "guest: the button is pressed soon"
 * guest: insmod /test/irqs-off-until-nmi.ko
 * when: guest: the button is pressed soon=>sleep 20; nmi
 */
#include "crash.h"

static int ready;

static noinline void wait_ready(void)
{
	local_irq_disable();
	while (!READ_ONCE(ready))
		cpu_relax();
	local_irq_enable();
}

static int driver(void *unused)
{
	msleep(300);
	wait_ready();
	return 0;
}

static int __init driver_init(void)
{
	return run_thread(driver, NULL, 1, "driver");
}
module_init(driver_init);
