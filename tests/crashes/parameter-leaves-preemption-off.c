// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A write to a parameter of the module returns with preemption off.  The program that wrote goes back to user
 * space and is the one that schedules.
 *
 * pattern: get_cpu_ptr() without put_cpu_ptr() in an error path
 * finding: the task was to sleep with preemption off, which something that had returned left so; what that was
 *	is not known, or mode_set() of this module
 * never: the shell as the cause; the scheduler; the kernel's way back to user space
 * must: ^shown: A task slept
 * not: exit_to_user_mode|init-
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/parameter-leaves-preemption-off.ko
 * guest: echo 7 >/sys/module/parameter_leaves_preemption_off/parameters/mode
 */
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include "crash.h"

static DEFINE_PER_CPU(int, modes);

static int mode_set(const char *text, const struct kernel_param *param)
{
	int *mode = get_cpu_ptr(&modes);

	if (text[0] == '7')
		return -EINVAL;
	*mode = text[0];
	put_cpu_ptr(&modes);
	return 0;
}

static const struct kernel_param_ops mode_ops = { .set = mode_set };
module_param_cb(mode, &mode_ops, NULL, 0200);

static int __init mode_init(void)
{
	return 0;
}
module_init(mode_init);
