// SPDX-License-Identifier: GPL-2.0-only
/*
 * A name that could not be copied is freed: the pointer is an error number.
 *
 * pattern: kfree() of what memdup_user() or a like function returned, without IS_ERR()
 * finding: kfree() was given an error number, ENOMEM, by name_put()
 * never: freed memory; the allocator as damaged
 * must: ^likely: name_put\(\) .*error number
 * not: freed memory|allocator
 * guest: insmod /test/free-of-error.ko
 */
#include "crash.h"

static noinline void name_put(char *name)
{
	kfree(name);
	barrier();
}

static int setter(void *unused)
{
	msleep(300);
	name_put(UNKNOWN((char *)ERR_PTR(-ENOMEM)));
	return 0;
}

static int __init name_init(void)
{
	return run_thread(setter, NULL, -1, "setter");
}
module_init(name_init);
