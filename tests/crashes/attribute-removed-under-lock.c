// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file in sysfs is removed with the lock held that its writer takes.  To remove it is to wait for its writer.
 *
 * pattern: AB-BA of a driver's mutex and a sysfs file in use
 * upstream: the class of s_active deadlocks: zram reset_store, md, bcache, hwmon, scsi_host state_store
 * finding: deadlock: "remover" holds gate_lock and waits in sysfs for the users of the file "level"; "sh" writes that file, in
 *	level_store(), and waits for gate_lock
 * never: "lister", which waits for gate_lock and holds nothing; user space; the file system
 * must: ^likely: A deadlock: .*remover-[0-9]+ removes a file
 * region: ^likely: .*remover-[0-9]+ holds
 * not: lister-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/attribute-removed-under-lock.ko
 * guest: (sleep 0.2; echo 1 >/sys/kernel/gate/level) &
 */
#include <linux/kobject.h>
#include <linux/sysfs.h>
#include "crash.h"

static DEFINE_MUTEX(gate_lock);
static struct kobject *gate;
static u64 listed;

static ssize_t level_store(struct kobject *kobj, struct kobj_attribute *attr, const char *buf, size_t n)
{
	msleep(700);
	mutex_lock(&gate_lock);
	mutex_unlock(&gate_lock);
	return n;
}

static ssize_t level_show(struct kobject *kobj, struct kobj_attribute *attr, char *buf)
{
	return 0;
}
static struct kobj_attribute level = __ATTR_RW(level);

static noinline void gate_remove(void)
{
	mutex_lock(&gate_lock);
	sysfs_remove_file(gate, &level.attr);
	mutex_unlock(&gate_lock);
}

static int remover(void *unused)
{
	msleep(500);
	while (!READ_ONCE(listed))
		msleep(20);
	gate_remove();
	return 0;
}

static int lister(void *unused)
{
	for (;;) {
		mutex_lock(&gate_lock);
		listed++;
		mutex_unlock(&gate_lock);
		msleep(100);
	}
	return 0;
}

static int __init gate_init(void)
{
	gate = kobject_create_and_add("gate", kernel_kobj);
	if (!gate || sysfs_create_file(gate, &level.attr))
		return -ENOMEM;
	run_thread(lister, NULL, 0, "lister");
	run_thread(remover, NULL, 1, "remover");
	return 0;
}
module_init(gate_init);
