// SPDX-License-Identifier: GPL-2.0-only
/*
 * A character device without an owner in its operations.  Its module is unloaded while a program has the device open; the file's
 * table of operations lay in the module.
 *
 * pattern: file_operations without .owner = THIS_MODULE
 * upstream: the class of "set owner to THIS_MODULE" fixes (char devices, debugfs, iio, v4l2)
 * finding: the last close of the device's file reads the operations of the file in the module rtc_chip, which was unloaded with the file open
 * never: sleep or the shell, which only closed its file; the file system; freed slab memory; a damaged struct file
 * must: ^likely: filp->f_op .*rtc_chip, unloaded
 * not: cur_orc|sleep-[0-9]+ |slab|freed
 * guest: insmod /test/rtc-chip.ko
 * guest: mknod /tmp/rtc c $(awk '$2 == "rtc-chip" { print $1 }' /proc/devices) 0
 * guest: sleep 4 </tmp/rtc &
 * guest: sleep 1
 * guest: rmmod rtc_chip
 * guest: sleep 5
 */
#include <linux/fs.h>
#include "crash.h"

static int major;
static u32 opened;

static int rtc_chip_open(struct inode *inode, struct file *file)
{
	opened++;
	return 0;
}

static ssize_t rtc_chip_read(struct file *file, char __user *buf, size_t n, loff_t *pos)
{
	return 0;
}

static int rtc_chip_release(struct inode *inode, struct file *file)
{
	opened--;
	return 0;
}

static const struct file_operations rtc_chip_fops = {
	.open = rtc_chip_open,
	.read = rtc_chip_read,
	.release = rtc_chip_release,
};

static int __init rtc_chip_init(void)
{
	major = register_chrdev(0, "rtc-chip", &rtc_chip_fops);
	return major < 0 ? major : 0;
}
module_init(rtc_chip_init);

static void __exit rtc_chip_exit(void)
{
	unregister_chrdev(major, "rtc-chip");
}
module_exit(rtc_chip_exit);
