// SPDX-License-Identifier: GPL-2.0-only
/*
 * PID 1 ends by itself: its last command fails.  The module only counts, and is innocent.
 *
 * pattern: a broken init script of an initramfs
 * finding: init ended with exit code 1 (0x00000100), by itself, no signal
 * never: this module; a signal; the kernel
 * must: ^shown: .*ended by itself with status 1
 * not: init_ends|signal
 * guest: insmod /test/init-ends.ko
 * guest: sleep 1
 * guest: : >/test/enter
 * guest: exit 0
 */
#include "crash.h"

static int count(void *unused)
{
	int n;

	for (n = 0; ; n++)
		msleep(20);
	return n;
}

static int __init count_init(void)
{
	return run_thread(count, NULL, -1, "count");
}
module_init(count_init);
