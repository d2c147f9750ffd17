// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file is installed into the table of the process, and put when the answer could not be copied: the number stays open, the file is
 * gone.
 *
 * pattern: fput() behind fd_install() in an error path
 * upstream: CVE-2022-22942 (drm/vmwgfx: Fix stale file descriptors on failed usercopy)
 * finding: grab_export() of this module put the struct file that it had installed as a file descriptor of the shell: the shell's use of its descriptor finds a file that was freed
 * never: the shell or its children as guilty; the file system; a double close by user space; memory that hardware damaged
 * must: ^likely: A file was closed that had been put .*frame_fops
 * region: ^likely: A file was closed that had been put .*frame_fops
 * not: init-[0-9]+|by user space|file system
 * guest: insmod /test/grab-fd.ko
 * guest: echo 3 >/proc/grab-fd
 * guest: sleep 1
 * guest: for i in 1 2 3 4 5 6 7 8; do (sleep 0.2; cat /proc/loadavg /proc/version >/dev/null) & done; sleep 1
 * guest: echo 4 >/proc/grab-fd
 * guest: for i in 1 2 3 4 5 6 7 8; do (sleep 0.2; cat /proc/loadavg /proc/version >/dev/null) & done; sleep 1
 */
#include <linux/anon_inodes.h>
#include <linux/file.h>
#include <linux/fs.h>
#include "crash.h"

struct frame {
	u32 w, h, seq;
	u8 data[64];
};

static u32 frames;

static int frame_release(struct inode *inode, struct file *file)
{
	kfree(file->private_data);
	return 0;
}

static const struct file_operations frame_fops = {
	.owner = THIS_MODULE,
	.release = frame_release,
};

static noinline int grab_export(unsigned int ubuf)
{
	struct frame *frame = kzalloc(sizeof(*frame), GFP_KERNEL);
	struct file *file;
	int fd;

	if (!frame)
		return -ENOMEM;
	frame->seq = ++frames;
	fd = get_unused_fd_flags(O_CLOEXEC);
	if (fd < 0)
		return fd;
	file = anon_inode_getfile("frame", &frame_fops, frame, O_RDONLY);
	if (IS_ERR(file))
		return PTR_ERR(file);
	fd_install(fd, file);
	if (copy_to_user((void __user *)(unsigned long)ubuf, &fd, sizeof(fd))) {
		fput(file);
		return -EFAULT;
	}
	return 0;
}

PROC_NUMBER(grab, grab_export);

static int __init grab_init(void)
{
	return proc_create("grab-fd", 0200, NULL, &grab_pops) ? 0 : -ENOMEM;
}
module_init(grab_init);
