// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A function has a timer on its stack, and returns in an error path without del_timer_sync().  Other calls of the
 * same task write over it; the timer expires while CPU 1 idles or runs "innocent".
 *
 * pattern: missing destroy of an on-stack timer in an error path
 * upstream: the class of setup_timer_on_stack() without del_timer_sync() (dvb, usb)
 * finding: the timer, or what it calls, was overwritten; it lies on the stack of "commander", armed by send_command()
 * never: "innocent" or the idle task; the timer code of the kernel as the fault's author; freed slab memory
 * must: ^likely: The timer .*commander-[0-9]+ had armed for command_expired\(\)
 * not: innocent
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/timer-on-left-stack.ko
 */
#include "crash.h"

static void command_expired(struct timer_list *t)
{
}

static noinline int send_command(void)
{
	struct timer_list timer;

	timer_setup_on_stack(&timer, command_expired, 0);
	mod_timer(&timer, jiffies + HZ / 2);
	return -EIO;
}

static noinline void fill(void)
{
	volatile u64 other[40];
	int i;

	for (i = 0; i < 40; i++)
		other[i] = 0x4b4f4b4f4b4f4b4fUL;
}

static int commander(void *unused)
{
	msleep(200);
	send_command();
	for (;;) {
		fill();
		cond_resched();
	}
	return 0;
}

static int innocent(void *unused)
{
	for (;;) {
		udelay(500);
		msleep(1);
	}
	return 0;
}

static int __init command_init(void)
{
	run_thread(innocent, NULL, 1, "innocent");
	return run_thread(commander, NULL, 1, "commander");
}
module_init(command_init);
