// SPDX-License-Identifier: GPL-2.0-only
/*
 * Moves the TOD clock by 5 ms while it is loaded, and the base of the kernel's clock as far, as the kernel
 * does when a server's time (STP) has moved the one.
 */
#include <linux/module.h>
#include <linux/stop_machine.h>
#include <asm/timex.h>

#define MOVED_BY	(5000 * 4096UL)

static int move_clock(void *unused)
{
	if (set_tod_clock(get_tod_clock() + MOVED_BY))
		return -EIO;
	tod_clock_base.eitod += MOVED_BY;
	return 0;
}

static int __init stp_init(void)
{
	int err = stop_machine(move_clock, NULL, NULL);

	if (!err)
		pr_info("stp: the TOD clock was moved\n");
	return err;
}

module_init(stp_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Moves the TOD clock");
