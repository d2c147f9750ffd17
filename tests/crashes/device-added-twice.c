// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device's name is there already.  The driver does not look at what device_register() returns, and removes the
 * device later.
 *
 * pattern: device_register() not checked, device_unregister() in the error path
 * upstream: the class of "NULL pointer dereference in device_del()" behind a failed device_register()
 * finding: NULL in code called by device_del(), for device_unregister() of a device that was not added; the log has
 *	"cannot create duplicate filename" before that
 * never: a freed object; sysfs as broken; "rmmod" as the cause
 * must: ^shown: device_del\(\).*dev->p was NULL
 * not: freed
 * guest: insmod /test/device-added-twice.ko
 */
#include <linux/device.h>
#include "crash.h"

static struct class *port_class;

static void port_release(struct device *dev)
{
	kfree(dev);
}

static noinline struct device *port_add(int id)
{
	struct device *dev = kzalloc(sizeof(*dev), GFP_KERNEL);

	dev->class = port_class;
	dev->release = port_release;
	dev_set_name(dev, "port%d", id);
	if (device_register(dev))
		pr_warn("port%d: not registered\n", id);
	return dev;
}

static noinline void port_remove(struct device *dev)
{
	device_unregister(dev);
}

static int __init port_init(void)
{
	struct device *one, *two;

#ifdef FOP_BUFFER_RASYNC
	port_class = class_create("port");
#else
	port_class = class_create(THIS_MODULE, "port");
#endif
	one = port_add(1);
	two = port_add(1);
	port_remove(two);
	port_remove(one);
	return 0;
}
module_init(port_init);
