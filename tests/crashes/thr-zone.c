// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A scan of a class finds a zone and puts it twice; the owner of the zone dies of that as it takes the zone away.
 *
 * pattern: put_device() too many behind class_find_device()
 * upstream: the class of unbalanced class_find_device()/put_device() (thermal, rtc, power supply)
 * finding: the struct device of zone 2 was freed too early: zone_check() of zone-check puts it twice (class_find_device_by_name() took one reference); zone_remove() of zone-hotplug uses what is freed
 * never: zone_remove() or zone-hotplug as the one who freed it; the driver core; a NULL pointer that was not set
 * not: zone-hotplug(-[0-9]+)? (had )?freed|zone_remove\(\) (had )?(freed|put)
 * kernels: 6.1
 * guest: epitaph events +kmem:kmalloc +kmem:kfree >/dev/null
 * guest: echo 1 >/proc/sys/kernel/panic_on_warn
 * guest: insmod /test/thr-zone.ko
 */
#include <linux/device.h>
#include "crash.h"

#define ZONES 4

struct thr_zone {
	u32 id, trip, temp;
	u64 log[24];
	struct device dev;
};

static struct class *zone_class;
static struct thr_zone *zones[ZONES];
static u32 hottest;

static void zone_release(struct device *dev)
{
	kfree(container_of(dev, struct thr_zone, dev));
}

static noinline struct thr_zone *zone_add(u32 id)
{
	struct thr_zone *z = kzalloc(sizeof(*z), GFP_KERNEL);

	if (!z)
		return NULL;
	z->id = id;
	z->trip = 80 + id;
	z->dev.class = zone_class;
	z->dev.release = zone_release;
	dev_set_name(&z->dev, "thr-zone%u", id);
	if (device_register(&z->dev)) {
		put_device(&z->dev);
		return NULL;
	}
	return z;
}

static noinline void zone_check(const char *name)
{
	struct device *dev = class_find_device_by_name(zone_class, name);
	struct thr_zone *z;

	if (!dev)
		return;
	z = container_of(dev, struct thr_zone, dev);
	if (z->temp > z->trip) {
		hottest = z->id;
		put_device(dev);
	}
	put_device(dev);
}

static noinline void zone_remove(u32 id)
{
	device_unregister(&zones[id]->dev);
	zones[id] = NULL;
}

static int zone_checker(void *unused)
{
	char name[16];
	u32 i;

	for (i = 0;; i++) {
		snprintf(name, sizeof(name), "thr-zone%u", i % ZONES);
		zone_check(name);
		msleep(50);
	}
	return 0;
}

static int zone_hotplug(void *unused)
{
	msleep(700);
	zones[2]->temp = 97;
	msleep(250);
	zones[2]->temp = 40;
	msleep(900);
	zone_remove(2);
	return 0;
}

static int __init zone_init(void)
{
	u32 i;

	zone_class = class_create(THIS_MODULE, "thr-zone");
	if (IS_ERR(zone_class))
		return PTR_ERR(zone_class);
	for (i = 0; i < ZONES; i++) {
		zones[i] = zone_add(i);
		if (!zones[i])
			return -ENOMEM;
	}
	run_thread(zone_checker, NULL, 0, "zone-check");
	return run_thread(zone_hotplug, NULL, 1, "zone-hotplug");
}
module_init(zone_init);
