// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name that a process writes is copied into a buffer on the stack, byte by byte, without a limit.
 *
 * pattern: stack buffer overflow in a sysfs or debugfs handler
 * finding: stack protector: copy_name()/set_name() of this module wrote over its own frame
 * never: __stack_chk_fail(), module parameters' code; hardware
 * must: ^shown: The stack of a function was overwritten, .*return address.*set_name
 * not: hardware
 * guest: insmod /test/name-too-long.ko
 * guest: sleep 1
 * guest: echo a-name-that-is-much-longer-than-thirty-two-bytes-and-goes-on-and-on-and-on >/sys/module/name_too_long/parameters/name
 */
#include "crash.h"

static char last[32];

static noinline void copy_name(char *to, const char *from)
{
	while (*from)
		*to++ = *from++;
	*to = 0;
}

static noinline int set_name(const char *text, const struct kernel_param *kp)
{
	char name[32];

	copy_name(UNKNOWN(&name[0]), text);
	memcpy(last, name, sizeof(last));
	return 0;
}

static const struct kernel_param_ops name_ops = { .set = set_name };
module_param_cb(name, &name_ops, NULL, 0200);
