// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A timer's function is marked __init; it is armed for later, when the module's init section has been freed.  The module
 * is loaded and stays so.  The CPU that dies runs "calculator".
 *
 * pattern: __init on a function that is called later
 * upstream: the class of section mismatches (modpost warns)
 * finding: the CPU jumped to where the init code of this (loaded) module was, freed after its start; called by a timer
 * never: a module that was unloaded; "calculator"; NULL; data that was executed
 * must: ^likely: The CPU jumped to poll_device\(\) .*__init
 * not: unloaded|calculator|NULL
 * guest: insmod /test/init-code-called-later.ko
 */
#include "crash.h"

static struct timer_list poll;
static unsigned long polls;

static void __init noinline poll_device(struct timer_list *t)
{
	polls++;
}

static int calculator(void *unused)
{
	unsigned long sum = 0;

	for (;;) {
		udelay(100);
		sum++;
		cond_resched();
	}
	return sum;
}

static int __init poll_init(void)
{
	timer_setup(&poll, poll_device, TIMER_PINNED);
	poll.expires = jiffies + 2 * HZ;
	add_timer_on(&poll, 1);
	return run_thread(calculator, NULL, 1, "calculator");
}
module_init(poll_init);
