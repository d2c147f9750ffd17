// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A driver's handler of NMIs follows a pointer that is not set.  The NMI comes to a CPU that computes or idles.
 *
 * pattern: an NMI handler is registered before its state exists
 * upstream: the class of perf and EDAC handlers that run during setup
 * finding: NULL pointer (+0x10) in button_nmi() of this module, in an NMI
 * never: the interrupted task "calculator" or swapper; the hardware; an NMI of unknown source as the cause
 * x86: its NMI
 * must: ^shown: button_nmi\(\) .*0x10 of a NULL
 * not: calculator|swapper|hardware|source the kernel
 * guest: insmod /test/null-in-nmi.ko
 * guest: echo "guest: the button is pressed soon"
 * when: guest: the button is pressed soon=>sleep 2; nmi
 */
#include <asm/nmi.h>
#include "crash.h"

struct button {
	long a, b;
	long pressed;
};

static struct button *button;

static noinline int button_nmi(unsigned int type, struct pt_regs *regs)
{
	WRITE_ONCE(UNKNOWN(button)->pressed, 1);
	return NMI_HANDLED;
}

static int calculator(void *unused)
{
	unsigned long sum = 0;

	for (;;) {
		udelay(200);
		sum++;
		cond_resched();
	}
	return sum;
}

static int __init button_init(void)
{
	run_thread(calculator, NULL, 0, "calculator0");
	run_thread(calculator, NULL, 1, "calculator1");
	return register_nmi_handler(NMI_LOCAL, button_nmi, 0, "button");
}
module_init(button_init);
