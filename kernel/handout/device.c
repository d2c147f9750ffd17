// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/epitaph: the bytes of the whole region, earlier generations and the one
 * that is recorded into.  Nothing is locked meanwhile; a reader checks what it
 * reads, as it would in a vmcore.
 */
#include <linux/capability.h>
#include <linux/fs.h>
#include <linux/kernel.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/security.h>
#include <epitaph/earlier.h>
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
	return security_locked_down(LOCKDOWN_TRACEFS);
}

static ssize_t device_read(struct file *file, char __user *to, size_t count, loff_t *pos)
{
	const void *base;
	u64 size;

	base = epitaph_region_memory(&size, NULL);
	return simple_read_from_buffer(to, count, pos, base, size);
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
	.read = device_read,
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
