// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A file monitor keeps an inode without a reference and puts it later; rm of the file dies in iput().
 *
 * pattern: iput() without igrab(): the inode is evicted under its dentry
 * upstream: the class of inode reference imbalance (iput() without ihold()/igrab() in nilfs2, ntfs3, overlay and audit watchers)
 * finding: rm put an inode that was already evicted and freed (I_CLEAR): its last reference had been dropped seconds before by mon_report() of this module (kworker), which does iput(rec->inode), although mon_add() stored d_inode() of the path without igrab()/ihold()
 * never: rm, tmpfs or the dcache as the cause; a corrupted file system; memory pressure; NULL
 * guest: mkdir -p /tmp/m
 * guest: mount -t tmpfs none /tmp/m
 * guest: echo hello >/tmp/m/app.log
 * guest: insmod /test/filemon.ko
 * guest: echo /tmp/m/app.log >/proc/filemon
 * guest: sleep 5
 * guest: rm /tmp/m/app.log
 */
#include "crash.h"
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/namei.h>
#include <linux/path.h>

struct mon_rec {
	struct delayed_work report;
	struct inode *inode;
	char path[64];
	loff_t size;
};

static u64 mon_bytes;

static void mon_report(struct work_struct *work)
{
	struct mon_rec *rec = container_of(to_delayed_work(work), struct mon_rec, report);

	rec->size = i_size_read(rec->inode);
	mon_bytes += rec->size;
	iput(rec->inode);
	kfree(rec);
}

static noinline int mon_add(struct mon_rec *rec)
{
	struct path path;
	int err = kern_path(rec->path, LOOKUP_FOLLOW, &path);

	if (err)
		return err;
	rec->inode = d_inode(path.dentry);
	path_put(&path);
	INIT_DELAYED_WORK(&rec->report, mon_report);
	schedule_delayed_work(&rec->report, 2 * HZ);
	return 0;
}

static ssize_t mon_write(struct file *file, const char __user *ubuf, size_t n, loff_t *pos)
{
	struct mon_rec *rec;
	int err;

	if (!n || n >= sizeof(rec->path))
		return -EINVAL;
	rec = kzalloc(sizeof(*rec), GFP_KERNEL);
	if (!rec)
		return -ENOMEM;
	if (copy_from_user(rec->path, ubuf, n)) {
		kfree(rec);
		return -EFAULT;
	}
	strim(rec->path);
	err = mon_add(rec);
	if (err) {
		kfree(rec);
		return err;
	}
	return n;
}

static const struct proc_ops mon_pops = { .proc_write = mon_write };

static int __init mon_init(void)
{
	proc_create("filemon", 0200, NULL, &mon_pops);
	return 0;
}
module_init(mon_init);
