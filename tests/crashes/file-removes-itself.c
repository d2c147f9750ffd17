// SPDX-License-Identifier: GPL-2.0-only
/*
 * Writing to a file in sysfs removes this file: the writer waits until all that use the file are done, and is one of them.
 *
 * pattern: device_remove_file() in the store() of this file, where device_remove_file_self() was needed
 * upstream: the class for which kernfs_remove_self() was made (scsi's "delete", pci's "remove")
 * finding: the task waits in kernfs_drain() for itself: it is in "reset_store()" of the file that it removes
 * never: a disk; a deadlock with another task; "watcher", which waits for the mutex behind it
 * must: ^likely: init-[0-9]+ waits for itself, in kernfs_drain
 * not: deadlock|disk
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/file-removes-itself.ko
 * guest: sleep 1
 * guest: echo 1 >/sys/kernel/port/reset &
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include "crash.h"

static struct kobject *port;
static DEFINE_MUTEX(port_lock);
static struct kobj_attribute reset_attribute;

static ssize_t reset_store(struct kobject *kobj, struct kobj_attribute *attr, const char *text, size_t len)
{
	mutex_lock(&port_lock);
	sysfs_remove_file(port, &reset_attribute.attr);
	mutex_unlock(&port_lock);
	return len;
}

static struct kobj_attribute reset_attribute = __ATTR_WO(reset);

static int watcher(void *unused)
{
	msleep(3000);
	mutex_lock(&port_lock);
	mutex_unlock(&port_lock);
	return 0;
}

static int __init port_init(void)
{
	port = kobject_create_and_add("port", kernel_kobj);
	if (!port)
		return -ENOMEM;
	if (sysfs_create_file(port, &reset_attribute.attr))
		return -ENOMEM;
	return run_thread(watcher, NULL, -1, "watcher");
}
module_init(port_init);
