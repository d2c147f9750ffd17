// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module looks a path up and does not give the dentry back.  umount finds it.
 *
 * pattern: a missing dput() in an error path
 * upstream: the class of "BUG: Dentry still in use" (umount_check), for example in cifs, overlayfs and kernfs
 * finding: a dentry of tmpfs is still in use at the umount; who holds it is not known
 * never: umount or init as the culprit; tmpfs as damaged; a freed object
 * must: ^shown: umount_check\(\) warned: BUG: Dentry .*still in use
 * not: freed
 * guest: mkdir -p /tmp/left
 * guest: mount -t tmpfs none /tmp/left
 * guest: echo text >/tmp/left/file
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/dentry-left-at-umount.ko
 * guest: umount /tmp/left
 */
#include <linux/namei.h>
#include <linux/dcache.h>
#include "crash.h"

static noinline int policy_lookup(const char *name)
{
	struct dentry *dentry;
	struct path path;
	int ret = kern_path(name, 0, &path);

	if (ret)
		return ret;
	dentry = dget(path.dentry);
	path_put(&path);
	if (!d_is_dir(dentry))
		return 0;
	dput(dentry);
	return 0;
}

static int __init policy_init(void)
{
	return policy_lookup("/tmp/left/file");
}
module_init(policy_init);
