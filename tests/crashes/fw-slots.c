// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  An updater thread exits with a mutex held; its task_struct is some other process by the time anyone waits.
 *
 * pattern: error path returns without mutex_unlock(), the task then exits
 * upstream: the class of "missing unlock on error path" (smatch finds dozens a year: qla2xxx, r8152, nvmem)
 * finding: no running task holds fw_lock of struct fw_dev: the thread "fw-update/1" took it in fw_update_slot(), fw_fetch() returned -ENOENT for the empty slot 1, and that path returns without mutex_unlock(); the thread has exited.  fw-health and the writer of /proc/fw_activate wait for ever
 * never: a task that today occupies the address in mutex.owner as the holder; fw-health or the shell as the cause; an ABBA deadlock; that the holder is still running or sleeping
 * not: ^(shown|likely): .*(holds itself|holds what is waited for)
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/fw-slots.ko
 * guest: i=0; while [ $i -lt 150 ]; do cat /proc/uptime >/dev/null; i=$((i+1)); done
 * guest: (while :; do cat /proc/uptime >/dev/null; done) &
 * guest: sleep 2
 * guest: echo 0 >/proc/fw_activate &
 */
#include "crash.h"

struct fw_slot {
	const char *image;
	u32 version;
};

struct fw_dev {
	char name[16];
	struct fw_slot slot[2];
	u32 active, updates, checks;
	int last_error;
	struct mutex fw_lock;
};

static struct fw_dev *fw_dev;

static noinline int fw_fetch(struct fw_dev *dev, unsigned int nr)
{
	if (!READ_ONCE(dev->slot[nr].image))
		return -ENOENT;
	msleep(50);
	return 0;
}

static noinline int fw_update_slot(struct fw_dev *dev, unsigned int nr)
{
	int err;

	mutex_lock(&dev->fw_lock);
	err = fw_fetch(dev, nr);
	if (err) {
		dev->last_error = err;
		return err;
	}
	dev->slot[nr].version++;
	dev->updates++;
	mutex_unlock(&dev->fw_lock);
	return 0;
}

static int fw_updater(void *data)
{
	long nr = (long)data;

	msleep(300 + 200 * nr);
	return fw_update_slot(fw_dev, nr);
}

static int fw_health(void *data)
{
	struct fw_dev *dev = data;

	for (;;) {
		schedule_timeout_idle(4 * HZ);
		mutex_lock(&dev->fw_lock);
		dev->checks++;
		mutex_unlock(&dev->fw_lock);
	}
	return 0;
}

static int fw_activate(unsigned int nr)
{
	if (nr > 1)
		return -EINVAL;
	mutex_lock(&fw_dev->fw_lock);
	fw_dev->active = nr;
	mutex_unlock(&fw_dev->fw_lock);
	return 0;
}

PROC_NUMBER(fw_activate, fw_activate);

static int __init fw_init(void)
{
	fw_dev = kzalloc(sizeof(*fw_dev), GFP_KERNEL);
	if (!fw_dev)
		return -ENOMEM;
	strscpy(fw_dev->name, "fwx0", sizeof(fw_dev->name));
	mutex_init(&fw_dev->fw_lock);
	fw_dev->slot[0].image = "fwx/boot.bin";
	proc_create("fw_activate", 0200, NULL, &fw_activate_pops);
	run_thread(fw_health, fw_dev, -1, "fw-health");
	run_thread(fw_updater, (void *)0L, -1, "fw-update/0");
	return run_thread(fw_updater, (void *)1L, -1, "fw-update/1");
}
module_init(fw_init);
