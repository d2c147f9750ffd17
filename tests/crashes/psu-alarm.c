// SPDX-License-Identifier: GPL-2.0-only
/*
 * A bay is ejected: it holds the lock and removes a file, whose reader flushes a work that wants the lock.
 *
 * pattern: three subsystems in a circle: a mutex, the active reference of a sysfs file, a work item
 * upstream: the class of "fix deadlock between sysfs remove and a flushed work" of hwmon, scsi and usb
 * finding: a deadlock of three: bay_eject() (task sh) holds bay_lock and waits in device_remove_file() for the readers of "alarm"; cat runs alarm_show() and waits in flush_work() for psu_latch_work(); the kworker that runs it waits for bay_lock
 * never: psu-poll, which only waits for the lock, as a part of the circle or as its holder; that the kworker is slow or that a device did not answer
 * must: ^likely: A deadlock: .*cat-[0-9]*
 * not: psu-poll-[0-9]* (holds|is)|device
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/psu-alarm.ko
 * guest: (sleep 1; cat /sys/devices/psu0/alarm) &
 * guest: echo 1 >/proc/psu-bay
 */
#include "crash.h"
#include <linux/device.h>

struct psu {
	struct device *dev;
	struct work_struct latch_work;
	u32 vout_mv, fan_rpm;
	u32 alarms, latched;
	bool powered;
};

static struct psu psu0;
static DEFINE_MUTEX(bay_lock);
static struct workqueue_struct *psu_wq;

/* Reading the latch clears it, so it must not change meanwhile. */
static void psu_latch_work(struct work_struct *work)
{
	struct psu *psu = container_of(work, struct psu, latch_work);

	mutex_lock(&bay_lock);
	if (psu->powered) {
		psu->latched |= psu->alarms;
		psu->alarms = 0;
	}
	mutex_unlock(&bay_lock);
}

static ssize_t alarm_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct psu *psu = dev_get_drvdata(dev);

	queue_work(psu_wq, &psu->latch_work);
	flush_work(&psu->latch_work);
	return sysfs_emit(buf, "%#x\n", psu->latched);
}

static ssize_t fan_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	return sysfs_emit(buf, "%u\n", ((struct psu *)dev_get_drvdata(dev))->fan_rpm);
}

static DEVICE_ATTR_RO(alarm);
static DEVICE_ATTR_RO(fan);

static void psu_sample(struct psu *psu)
{
	psu->vout_mv = 12000 + jiffies % 50;
	psu->fan_rpm = 4000 + jiffies % 300;
	if (psu->vout_mv > 12040)
		psu->alarms |= 1;
}

static int psu_poll(void *data)
{
	struct psu *psu = data;

	for (;;) {
		mutex_lock(&bay_lock);
		psu_sample(psu);
		mutex_unlock(&bay_lock);
		msleep(50);
	}
	return 0;
}

static noinline void psu_spin_down(struct psu *psu)
{
	psu->powered = false;
	while (psu->fan_rpm) {
		psu->fan_rpm -= min(psu->fan_rpm, 500u);
		msleep(250);
	}
}

static noinline int bay_eject(unsigned int bay)
{
	struct psu *psu = &psu0;

	mutex_lock(&bay_lock);
	if (psu->dev) {
		psu_spin_down(psu);
		device_remove_file(psu->dev, &dev_attr_alarm);
		device_remove_file(psu->dev, &dev_attr_fan);
		root_device_unregister(psu->dev);
		psu->dev = NULL;
	}
	mutex_unlock(&bay_lock);
	return 0;
}

PROC_NUMBER(bay, bay_eject);

static int __init psu_init(void)
{
	int err;

	psu_wq = alloc_workqueue("psu", 0, 0);
	psu0.dev = root_device_register("psu0");
	if (!psu_wq || IS_ERR(psu0.dev))
		return -ENOMEM;
	dev_set_drvdata(psu0.dev, &psu0);
	INIT_WORK(&psu0.latch_work, psu_latch_work);
	psu0.powered = true;
	err = device_create_file(psu0.dev, &dev_attr_alarm);
	if (!err)
		err = device_create_file(psu0.dev, &dev_attr_fan);
	if (!err && !proc_create("psu-bay", 0200, NULL, &bay_pops))
		err = -ENOMEM;
	return err ?: run_thread(psu_poll, &psu0, -1, "psu-poll");
}
module_init(psu_init);
