// SPDX-License-Identifier: GPL-2.0-only
/*
 * A probe registers a device with its files in sysfs, asks the hardware for a while, and sets the device's driver data
 * then.  A reader comes between.
 *
 * pattern: dev_set_drvdata() behind the registration
 * upstream: the class of "set drvdata before registering" (hwmon, iio and rtc probes)
 * finding: level_show() read 0x28 of a NULL pointer: dev->driver_data was not set yet; the probe that is at work
 * never: "cat" as author; sysfs; freed memory
 * must: ^shown: read_level\(\) .*0x28 of a NULL pointer
 * region: ^shown: read_level\(\)
 * not: cat-
 * guest: insmod /test/drvdata-set-late.ko
 * guest: sleep 1
 * guest: cat /sys/devices/meter0/level
 */
#include <linux/device.h>
#include "crash.h"

struct meter {
	u64 registers[5];
	int level;
};

static struct device *device;

static noinline int read_level(struct meter *meter)
{
	return READ_ONCE(meter->level) + 1;
}

static ssize_t level_show(struct device *dev, struct device_attribute *attr, char *buf)
{
	struct meter *meter = dev_get_drvdata(dev);

	return sysfs_emit(buf, "%d\n", read_level(meter));
}
static DEVICE_ATTR_RO(level);

static int probe(void *unused)
{
	device = root_device_register("meter0");
	if (IS_ERR(device) || device_create_file(device, &dev_attr_level))
		return 0;
	msleep(5000);
	dev_set_drvdata(device, kzalloc(sizeof(struct meter), GFP_KERNEL));
	return 0;
}

static int __init meter_init(void)
{
	return run_thread(probe, NULL, 0, "meter-probe");
}
module_init(meter_init);
