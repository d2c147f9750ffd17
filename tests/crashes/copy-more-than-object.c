// SPDX-License-Identifier: GPL-2.0-only
/*
 * A read() gives user space more bytes than its object has; the kernel's check of such copies stops it.
 *
 * pattern: a length of user space, not limited to the object's
 * upstream: the class of "usercopy: Kernel memory exposure attempt detected from SLUB object"
 * finding: gauge_read() copied 200 bytes out of an object of kmalloc-64 to user space
 * never: "cat" or "dd" as the culprit; a freed object; the check itself as the cause
 * must: ^shown: .*gauge_read\(\) .*usercopy: .*kmalloc-64
 * not: usercopy_abort|freed
 * guest: insmod /test/copy-more-than-object.ko
 * guest: dd if=/proc/gauge of=/dev/null bs=200 count=1
 */
#include <linux/proc_fs.h>
#include <linux/uaccess.h>
#include "crash.h"

static char *gauge;

static noinline ssize_t gauge_read(struct file *file, char __user *to, size_t len, loff_t *at)
{
	return copy_to_user(to, UNKNOWN(gauge), len) ? -EFAULT : len;
}

static const struct proc_ops gauge_ops = { .proc_read = gauge_read };

static int __init gauge_init(void)
{
	gauge = kzalloc(50, GFP_KERNEL);
	return proc_create("gauge", 0444, NULL, &gauge_ops) ? 0 : -ENOMEM;
}
module_init(gauge_init);
