// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A LED is looked up by its name, which takes a reference of the device.  Where it is busy, the look-up gives an error and
 * keeps the reference.  The LED is removed at last, and its remover waits for the device's release, which never comes.
 *
 * pattern: class_find_device() without put_device() on the error path
 * upstream: drawn from Debian's changelog: "leds: led-core: Fix refcount leak in of_led_get()"
 * finding: led-remove waits in led_remove() for a completion that led_dev_release() gives when the last reference of the device is put: led_get() of phy-probe keeps one on its error path
 * never: led-blink, which takes and puts its own; a deadlock; led_dev_release() as the guilty one
 * must: ^likely: led-remove-[0-9]+ waits .*last reference of the device .*led_get\(\) alone
 * not: led-blink|deadlock
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/led-lookup.ko
 */
#include <linux/completion.h>
#include <linux/device.h>
#include "crash.h"

struct led {
	struct device dev;
	struct completion released;
	bool busy;
	u32 blinks;
};

static struct class *led_class;
static struct led *led0;

static void led_dev_release(struct device *dev)
{
	complete(&container_of(dev, struct led, dev)->released);
}

static noinline struct led *led_get(const char *name)
{
	struct device *dev = class_find_device_by_name(led_class, name);
	struct led *led;

	if (!dev)
		return ERR_PTR(-EPROBE_DEFER);
	led = container_of(dev, struct led, dev);
	if (READ_ONCE(led->busy))
		return ERR_PTR(-EBUSY);
	return led;
}

static noinline void led_put(struct led *led)
{
	put_device(&led->dev);
}

static int phy_probe(void *unused)
{
	struct led *led;
	int i;

	for (i = 0; i < 40; i++) {
		led = led_get("phy0:green");
		msleep(40);
		if (!IS_ERR(led))
			led_put(led);
	}
	return 0;
}

static int led_blink(void *unused)
{
	struct led *led;
	int i;

	for (i = 0; i < 30; i++) {
		led = led_get("phy0:green");
		if (!IS_ERR(led)) {
			WRITE_ONCE(led->busy, i % 10 == 7);
			led->blinks++;
			msleep(30);
			WRITE_ONCE(led->busy, false);
			led_put(led);
		}
		msleep(20);
	}
	return 0;
}

static noinline void led_remove(struct led *led)
{
	device_unregister(&led->dev);
	wait_for_completion(&led->released);
	kfree(led);
}

static int led_remover(void *unused)
{
	msleep(3000);
	led_remove(led0);
	return 0;
}

static int __init led_init(void)
{
	int err;

#ifdef FOP_BUFFER_RASYNC
	led_class = class_create("phyled");
#else
	led_class = class_create(THIS_MODULE, "phyled");
#endif
	led0 = kzalloc(sizeof(*led0), GFP_KERNEL);
	if (IS_ERR(led_class) || !led0)
		return -ENOMEM;
	init_completion(&led0->released);
	led0->dev.class = led_class;
	led0->dev.release = led_dev_release;
	dev_set_name(&led0->dev, "phy0:green");
	err = device_register(&led0->dev);
	if (err)
		return err;
	run_thread(led_blink, NULL, -1, "led-blink");
	run_thread(phy_probe, NULL, -1, "phy-probe");
	return run_thread(led_remover, NULL, -1, "led-remove");
}
module_init(led_init);
