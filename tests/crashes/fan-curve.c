// SPDX-License-Identifier: GPL-2.0-only
/*
 * A work item cancels itself, and waits for its own end.  "thermal" waits for the mutex that it has.
 *
 * pattern: cancel_work_sync() within the work item
 * upstream: the class of "workqueue: cancel_work_sync() from its own work" (Bluetooth, mt76, input, thermal)
 * finding: the kworker waits for itself: it runs fan_step() and cancels that in fan_stop()
 * never: "thermal"; that it waits for a lock that it holds
 * must: ^shown: kworker/.* waits for itself: it runs the work item fan_step
 * not: thermal|a lock that it holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/fan-curve.ko
 */
#include "crash.h"

struct fan {
	struct work_struct step;
	struct mutex lock;
	int rpm, stalls;
};

static struct fan *fan;

static noinline void fan_stop(struct fan *f)
{
	cancel_work_sync(&f->step);
	f->rpm = 0;
}

static void fan_step(struct work_struct *work)
{
	struct fan *f = container_of(work, struct fan, step);

	mutex_lock(&f->lock);
	f->rpm += 100;
	if (f->rpm > 3000 && ++f->stalls > 2)
		fan_stop(f);
	mutex_unlock(&f->lock);
}

static int thermal(void *data)
{
	struct fan *f = data;

	for (;;) {
		mutex_lock(&f->lock);
		if (f->rpm < 0)
			f->rpm = 0;
		mutex_unlock(&f->lock);
		schedule_work(&f->step);
		msleep(30);
	}
	return 0;
}

static int __init fan_init(void)
{
	fan = kzalloc(sizeof(*fan), GFP_KERNEL);
	if (!fan)
		return -ENOMEM;
	mutex_init(&fan->lock);
	INIT_WORK(&fan->step, fan_step);
	return run_thread(thermal, fan, -1, "thermal");
}
module_init(fan_init);
