// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module is unloaded and leaves its binary format registered; what is executed next walks the list of formats.
 *
 * pattern: missing unregister in module_exit(); the list of the kernel still has the module's static object
 * upstream: the class of missing unregister_*() in exit (binfmt, crypto_unregister_alg in error paths, tcp congestion modules)
 * finding: the list of binary formats has an entry that lay in the module binfmt_left, which was unloaded; that did not unregister it
 * never: the program that was executed, or the shell; search_binary_handler() or exec code as the culprit; freed slab memory; a user pointer
 * must: ^likely: .*variable formats .*binfmt_left
 * not: init|freed|user space
 * guest: insmod /test/binfmt-left.ko
 * guest: sleep 1
 * guest: rmmod binfmt_left
 * guest: sleep 1
 * guest: printf 'zq' >/tmp/zq; chmod +x /tmp/zq; /tmp/zq
 */
#include <linux/binfmts.h>
#include "crash.h"

static int load_zq(struct linux_binprm *bprm)
{
	return bprm->buf[0] == 'z' && bprm->buf[1] == 'x' ? -EINVAL : -ENOEXEC;
}

static struct linux_binfmt zq_format = { .load_binary = load_zq };

static int __init zq_init(void)
{
	zq_format.module = NULL;
	register_binfmt(&zq_format);
	return 0;
}
module_init(zq_init);

static void __exit zq_exit(void)
{
}
module_exit(zq_exit);
