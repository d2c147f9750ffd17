// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  As reinit-after-start, but the completion is set up before the start, as it should be: twenty times the device
 * answers, and then it does not.
 *
 * pattern: a device that does not answer, behind one that did
 * finding: spi-sync waits in bus_transfer() for xfer->done, which bus_irq() completes; it did not run after the start
 * never: that the completion came too early, or was set up again
 * must: ^shown: .*waited too long for a completion in bus_transfer
 * not: already|reinit_completion|too early|set up
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: echo 6 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: insmod /test/answer-missing-once.ko
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

static noinline void bus_transfer(bool answers)
{
	bus.started++;
	usleep_range(300, 500);
	reinit_completion(&bus.done);
	if (likely(answers))
		hrtimer_start(&bus.irq, ns_to_ktime(400 * NSEC_PER_USEC), HRTIMER_MODE_REL);
	wait_for_completion(&bus.done);
	bus.finished++;
}

static int spi_sync_thread(void *unused)
{
	int i;

	for (i = 0; i < 20; i++) {
		bus_transfer(true);
		msleep(50);
	}
	bus_transfer(false);
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
