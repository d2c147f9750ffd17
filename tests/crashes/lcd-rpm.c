// SPDX-License-Identifier: GPL-2.0-only
/*
 * The suspend callback of a display writes a register by the function that wakes the display first.
 *
 * pattern: pm_runtime_get_sync() within the device's own runtime_suspend()
 * upstream: the class of runtime PM self-deadlocks (drm panels, spi controllers, sound codecs)
 * finding: the task that runs lcd_runtime_suspend() waits for itself: lcd_write() calls pm_runtime_get_sync() of the same device, which waits in rpm_resume() until the suspend has ended
 * never: lcd-draw, which waits for the lock or for the display; the device as one that does not answer
 * must: waits for itself.*(lcd_runtime_suspend|lcd_write)|(lcd_runtime_suspend|lcd_write)\(\).*waits for itself
 * not: did not answer|lcd-draw-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/lcd-rpm.ko
 */
#include <linux/platform_device.h>
#include <linux/pm_runtime.h>
#include "crash.h"

static struct platform_device *lcd;
static u32 regs[32], frames;

static noinline void lcd_write(struct device *dev, u32 reg, u32 val)
{
	pm_runtime_get_sync(dev);
	regs[reg & 31] = val;
	pm_runtime_put_noidle(dev);
}

static noinline void lcd_read(struct device *dev)
{
	frames += regs[3];
}

static int lcd_runtime_suspend(struct device *dev)
{
	lcd_read(dev);
	lcd_write(dev, 3, 0);
	return 0;
}

static int lcd_runtime_resume(struct device *dev)
{
	regs[3] = 1;
	return 0;
}

static const struct dev_pm_ops lcd_pm = {
	.runtime_suspend = lcd_runtime_suspend,
	.runtime_resume = lcd_runtime_resume,
};

static struct platform_driver lcd_driver = {
	.driver = { .name = "lcd-panel", .pm = &lcd_pm },
};

static int lcd_draw(void *unused)
{
	int i;

	for (i = 0;; i++) {
		pm_runtime_get_sync(&lcd->dev);
		frames++;
		pm_runtime_put(&lcd->dev);
		msleep(400);
	}
	return 0;
}

static int __init lcd_init(void)
{
	int err = platform_driver_register(&lcd_driver);

	if (err)
		return err;
	lcd = platform_device_register_simple("lcd-panel", -1, NULL, 0);
	if (IS_ERR(lcd))
		return PTR_ERR(lcd);
	pm_runtime_set_active(&lcd->dev);
	pm_runtime_enable(&lcd->dev);
	return run_thread(lcd_draw, NULL, 1, "lcd-draw");
}
module_init(lcd_init);
