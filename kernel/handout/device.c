// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/epitaph: the bytes of the whole region, earlier generations and the one
 * that is recorded into.  Nothing is locked meanwhile; a reader checks what it
 * reads, as it would in a vmcore.  A page that cannot be read is an error of its
 * own, EHWPOISON, and a reader may go on behind it.  Of a device that was removed, no page is read.
 *
 * A file can also be the one reader of a channel: control/consume.c.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/security.h>
#include <linux/uaccess.h>
#include <epitaph/earlier.h>
#include "control/consume.h"
#include "core/lost.h"
#include "device.h"
#include "recorder.h"

static bool is_there;

/*
 * It holds addresses of the kernel and what tasks did: as much as the kernel's
 * log and its traces.  A descriptor that was passed on stays good.
 */
static int device_open(struct inode *inode, struct file *file)
{
	if (!capable(CAP_SYSLOG) && !capable(CAP_SYS_ADMIN))
		return -EPERM;
	file->private_data = NULL;
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static struct epitaph_reader **reader_of(struct file *file)
{
	return (struct epitaph_reader **)&file->private_data;
}

static int device_release(struct inode *inode, struct file *file)
{
	epitaph_consume_end(*reader_of(file));
	return 0;
}

static long device_ioctl(struct file *file, unsigned int number, unsigned long arg)
{
	return epitaph_consume_ioctl(reader_of(file), number, arg);
}

static int device_mmap(struct file *file, struct vm_area_struct *vma)
{
	return epitaph_consume_mmap(reader_of(file), vma);
}

static __poll_t device_poll(struct file *file, poll_table *wait)
{
	return epitaph_consume_poll(reader_of(file), file, wait);
}

static ssize_t device_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	void *page = (void *)__get_free_page(GFP_KERNEL);
	ssize_t done = 0;
	size_t n;
	u64 size;

	if (epitaph_is_gone()) {
		free_page((unsigned long)page);
		return -ENODEV;
	}
	if (!page)
		return -ENOMEM;
	epitaph_region_memory(&size, NULL);
	for (; count && *pos < size; count -= n) {
		n = min_t(u64, min_t(u64, count, size - *pos), PAGE_SIZE);
		n = epitaph_region_read(page, *pos, n);
		/*
		 * What one call reads before what the next one reads: sums, then events.
		 * order:device pairs with order:word in kernel/include/epitaph/ring_fast.h
		 */
		smp_rmb();
		if (!n || copy_to_user(to + done, page, n)) {
			done = done ?: n ? -EFAULT : -EHWPOISON;
			break;
		}
		*pos += n;
		done += n;
		cond_resched();
	}
	free_page((unsigned long)page);
	return done;
}

static loff_t device_seek(struct file *file, loff_t offset, int whence)
{
	u64 size;

	epitaph_region_memory(&size, NULL);
	return fixed_size_llseek(file, offset, whence, size);
}

static const struct file_operations operations = {
	.owner = THIS_MODULE,
	.open = device_open,
	.release = device_release,
	.read = device_read,
	.unlocked_ioctl = device_ioctl,
	.compat_ioctl = compat_ptr_ioctl,
	.mmap = device_mmap,
	.poll = device_poll,
	.llseek = device_seek,
};

static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "epitaph",
	.mode = 0400,
	.fops = &operations,
};

void epitaph_device_start(void)
{
	int err = misc_register(&device);

	if (err)
		pr_warn("no /dev/epitaph (%d): what earlier boots left cannot be read until the recorder is loaded again\n",
			err);
	is_there = !err;
}

void epitaph_device_stop(void)
{
	if (is_there)
		misc_deregister(&device);
}
