// SPDX-License-Identifier: GPL-2.0-only
/*
 * Beacons are stopped: the tasklet is disabled and then killed.  It had been scheduled in between, and kill waits for its run.
 *
 * pattern: tasklet_kill() of a tasklet that is disabled and scheduled
 * upstream: the class of tasklet_disable() before tasklet_kill() (ath9k, mmc, i915, sound)
 * finding: ath-down waits in tasklet_kill(), called by ath_stop_beacons(), for a tasklet that can never run, since ath_stop_beacons() disabled it (count 1)
 * never: ath-conf, which waits for sc_lock; ksoftirqd as guilty; a deadlock
 * must: ath-down-[0-9]+.*(tasklet_kill.*disabled|disabled.*tasklet|tasklet.*disabled)
 * not: deadlock|ksoftirqd.*(holds|guilty)|ath-conf-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/ath-beacon.ko
 */
#include <linux/interrupt.h>
#include "crash.h"

struct ath {
	u32 id, beacons;
	struct tasklet_struct tasklet;
	struct timer_list timer;
	struct mutex lock;
};

static struct ath *ath;

static void ath_beacon(struct tasklet_struct *t)
{
	struct ath *a = from_tasklet(a, t, tasklet);

	a->beacons++;
}

static void ath_tick(struct timer_list *t)
{
	struct ath *a = from_timer(a, t, timer);

	tasklet_schedule(&a->tasklet);
	mod_timer(&a->timer, jiffies + HZ / 50);
}

static noinline void ath_stop_beacons(struct ath *a)
{
	mutex_lock(&a->lock);
	tasklet_disable(&a->tasklet);
	msleep(50);
	del_timer_sync(&a->timer);
	tasklet_kill(&a->tasklet);
	mutex_unlock(&a->lock);
}

static int ath_down(void *data)
{
	msleep(1100);
	ath_stop_beacons(data);
	return 0;
}

static int ath_conf(void *data)
{
	struct ath *a = data;

	for (;;) {
		mutex_lock(&a->lock);
		a->id++;
		mutex_unlock(&a->lock);
		msleep(90);
	}
	return 0;
}

static int __init ath_init(void)
{
	ath = kzalloc(sizeof(*ath), GFP_KERNEL);
	if (!ath)
		return -ENOMEM;
	mutex_init(&ath->lock);
	tasklet_setup(&ath->tasklet, ath_beacon);
	timer_setup(&ath->timer, ath_tick, 0);
	mod_timer(&ath->timer, jiffies + 1);
	run_thread(ath_conf, ath, 0, "ath-conf");
	return run_thread(ath_down, ath, 1, "ath-down");
}
module_init(ath_init);
