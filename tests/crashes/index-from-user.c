// SPDX-License-Identifier: GPL-2.0-only
/*
 * A value that a process writes to a parameter is taken as an index without a check; far outside of
 * the table.
 *
 * pattern: unchecked index from user space in a handler
 * finding: wild pointer in select_profile(): address far outside of the table; the process is sh,
 *	writing to a module parameter
 * never: use after free; NULL; the kernel's param_attr_store()
 * must: ^(possible: .*select_profile\(\)|shown: select_profile\(\) .* \* 4: [0-9a-f]*, where no memory is)
 * not: copy_from_user|freed|param_attr_store
 * guest: insmod /test/index-from-user.ko
 * guest: sleep 1
 * guest: echo 1073741824 >/sys/module/index_from_user/parameters/profile
 */
#include "crash.h"

static unsigned int limits[16];

static noinline unsigned int select_profile(long i)
{
	return READ_ONCE(UNKNOWN(&limits[0])[i]);
}

static int set_profile(const char *text, const struct kernel_param *kp)
{
	long i;

	if (kstrtol(text, 0, &i))
		return -EINVAL;
	return select_profile(i) ? 0 : 0;
}

static const struct kernel_param_ops profile_ops = { .set = set_profile };
module_param_cb(profile, &profile_ops, NULL, 0200);
