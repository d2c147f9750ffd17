// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module puts a reference to an inode once too often.  The inode is gone while the name still points to it; "rm" of
 * that name meets it.
 *
 * pattern: iput() in an error path whose caller puts as well
 * upstream: the class of "kernel BUG at fs/inode.c" (ntfs3, f2fs, nilfs2)
 * finding: BUG in iput() (or the warning of ihold() before): rm used an inode that is cleared already: put too often
 * never: "rm", or tmpfs, as the author; hardware; a list that is corrupt
 * must: ^likely: .*iput\(\).*put once too often
 * not: hardware|list
 * guest: echo text >/tmp/file
 * guest: insmod /test/inode-put-twice.ko
 * guest: sleep 2
 * guest: rm /tmp/file
 */
#include <linux/fs.h>
#include <linux/namei.h>
#include "crash.h"

static noinline void watch_stop(struct inode *inode)
{
	iput(inode);
	iput(inode);
}

static int watcher(void *unused)
{
	struct inode *inode;
	struct path path;

	if (kern_path("/tmp/file", LOOKUP_FOLLOW, &path))
		return 0;
	inode = igrab(d_inode(path.dentry));
	path_put(&path);
	msleep(500);
	watch_stop(inode);
	return 0;
}

static int __init watch_init(void)
{
	return run_thread(watcher, NULL, 0, "watcher");
}
module_init(watch_init);
