// SPDX-License-Identifier: GPL-2.0-only
/*
 * A thread acts with other credentials and puts them once too often while it uses them.
 *
 * pattern: put_cred() in an error path although the caller puts
 * upstream: the class of "kernel BUG at kernel/cred.c"
 * finding: BUG in __put_cred(): act_as() of this module put credentials that are in use
 * never: the kernel's code of credentials as author; freed memory as certain
 * must: ^likely: .*__put_cred\(\), called by act_as\(\)
 * not: freed
 * guest: insmod /test/cred-put-twice.ko
 */
#include <linux/cred.h>
#include "crash.h"

static noinline void act_as(struct cred *cred)
{
	const struct cred *old = override_creds(cred);

	put_cred(cred);
	put_cred(cred);
	revert_creds(old);
}

static int actor(void *unused)
{
	msleep(200);
	act_as(prepare_kernel_cred(&init_task));
	return 0;
}

static int __init actor_init(void)
{
	return run_thread(actor, NULL, -1, "actor");
}
module_init(actor_init);
