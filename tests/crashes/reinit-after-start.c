// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A transfer is started and its completion set up behind that; the device was quicker.  It answered, and the
 * driver waits for ever.
 *
 * pattern: reinit_completion() behind the start of what completes it
 * upstream: the class of "init/reinit completion before starting the transfer" (spi-bcm2835, i2c-imx, hv_netvsc, mt76 mcu)
 * finding: spi-sync waits in bus_transfer() for xfer->done, for which complete() has run already, by bus_irq() of the hrtimer, before reinit_completion() of bus_transfer() took that back
 * never: a device that does not answer; an interrupt that did not come; a lock; bus_irq()
 * must: ^likely: .*bus_irq\(\) .*set the completion up again
 * not: device|lock
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/reinit-after-start.ko
 */
#include <linux/completion.h>
#include <linux/hrtimer.h>
#include "crash.h"

struct bus {
	struct hrtimer irq;
	struct completion done;
	u32 started, answered, finished;
};

static struct bus bus;

static enum hrtimer_restart bus_irq(struct hrtimer *t)
{
	bus.answered++;
	complete(&bus.done);
	return HRTIMER_NORESTART;
}

static noinline void bus_transfer(unsigned int prepare_us)
{
	bus.started++;
	hrtimer_start(&bus.irq, ns_to_ktime(400 * NSEC_PER_USEC), HRTIMER_MODE_REL);
	if (prepare_us)
		usleep_range(prepare_us, prepare_us + 50);
	reinit_completion(&bus.done);
	wait_for_completion(&bus.done);
	bus.finished++;
}

static int spi_sync_thread(void *unused)
{
	int i;

	for (i = 0; i < 20; i++) {
		bus_transfer(0);
		msleep(50);
	}
	bus_transfer(5000);
	return 0;
}

static int __init bus_init(void)
{
	init_completion(&bus.done);
	hrtimer_init(&bus.irq, CLOCK_MONOTONIC, HRTIMER_MODE_REL);
	bus.irq.function = bus_irq;
	return run_thread(spi_sync_thread, NULL, -1, "spi-sync");
}
module_init(bus_init);
