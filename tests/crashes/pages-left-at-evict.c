// SPDX-License-Identifier: GPL-2.0-only
/*
 * A small file system frees what it has of an inode when that goes, but not the inode's pages.
 *
 * pattern: evict_inode() without truncate_inode_pages_final()
 * upstream: "kernel BUG in clear_inode" of syzbot: ntfs3, nilfs2, udf, hfsplus
 * finding: BUG in clear_inode(), called by notefs_evict() of this module as "umount" ended it; the inode still has pages
 * never: "umount" or user space; damaged memory; the page cache; a double put
 * must: ^shown: A check in clear_inode\(\), which worked for notefs_evict\(\)
 * not: umount|damaged|twice
 * guest: insmod /test/pages-left-at-evict.ko
 * guest: mkdir -p /notes
 * guest: mount -t notefs none /notes
 * guest: echo remember >/notes/today
 * guest: umount /notes
 */
#include <linux/fs.h>
#include <linux/pagemap.h>
#include "crash.h"

static int note_open(struct inode *inode, struct file *file)
{
	inode->i_mapping->a_ops = &ram_aops;
	return generic_file_open(inode, file);
}

static const struct file_operations note_fops = {
	.open = note_open,
	.read_iter = generic_file_read_iter,
	.write_iter = generic_file_write_iter,
	.llseek = generic_file_llseek,
};

static noinline void notefs_evict(struct inode *inode)
{
	kfree(inode->i_private);
	clear_inode(inode);
}

static const struct super_operations notefs_ops = {
	.statfs = simple_statfs,
	.evict_inode = notefs_evict,
};

static int notefs_fill(struct super_block *sb, void *data, int silent)
{
	static const struct tree_descr files[] = {
		[2] = { "today", &note_fops, 0600 },
		{ "" },
	};
	int err = simple_fill_super(sb, 0x6e6f7465, files);

	if (!err)
		sb->s_op = &notefs_ops;
	return err;
}

static struct dentry *notefs_mount(struct file_system_type *type, int flags, const char *dev, void *data)
{
	return mount_nodev(type, flags, data, notefs_fill);
}

static struct file_system_type notefs = {
	.owner = THIS_MODULE,
	.name = "notefs",
	.mount = notefs_mount,
	.kill_sb = kill_litter_super,
};

static int __init notefs_init(void)
{
	return register_filesystem(&notefs);
}
module_init(notefs_init);
