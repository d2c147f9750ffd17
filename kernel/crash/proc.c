// SPDX-License-Identifier: GPL-2.0-only
/*
 * Small files of /proc.  The command line and the boot's id are there and are
 * exported to modules nowhere else.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/mount.h>
#include "compat.h"
#include "start/start.h"
#include "proc.h"

static ssize_t read_and_close(struct file *file, char *buf, size_t size)
{
	size_t used = 0;
	loff_t pos = 0;
	ssize_t n;

	if (IS_ERR(file))
		return PTR_ERR(file);
	/* A long one comes a page at a time. */
	do {
		n = kernel_read(file, buf + used, size - 1 - used, &pos);
		used += max_t(ssize_t, n, 0);
	} while (n > 0 && used < size - 1);
	filp_close(file, NULL);
	buf[used] = '\0';
	return n < 0 ? n : (ssize_t)used;
}

static struct vfsmount *proc;

static int mount_proc(void)
{
	struct file_system_type *type = get_fs_type("proc");
	struct vfsmount *mount = type ? kern_mount(type) : ERR_PTR(-ENODEV);

	if (IS_ERR(mount))
		return PTR_ERR(mount);
	proc = mount;
	return 0;
}

/*
 * By a mount that no path leads to.  What is at /proc is the caller's: it may be mounted nowhere,
 * or another file be mounted over this one.
 */
ssize_t epitaph_proc_read(const char *name, char *buf, size_t size)
{
	int err = epitaph_is_early() ? -EAGAIN : proc ? 0 : mount_proc();

	return err ?: read_and_close(file_open_root_mnt(proc, name, O_RDONLY, 0), buf, size);
}

void epitaph_proc_leave(void)
{
	kern_unmount(proc);
	proc = NULL;
}
