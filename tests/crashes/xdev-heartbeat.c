// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The driver panics as its "firmware heartbeat stopped"; the firmware is well, its heartbeat handler waits for a mutex.
 *
 * pattern: watchdog panic whose cause is a deadlock elsewhere: waiting for an answer with the lock its delivery takes
 * upstream: the class of mlx5/qed/ionic "device's health compromised" by driver deadlocks (mailbox lock held over wait_for_completion)
 * finding: the heartbeat stopped since its work xdev_beat() (kworker) waits for mbox_lock, held by xdev-dump in xdev_collect(), which waits for dump_ack - an answer that only xdev_beat() delivers.  xdev_watchdog() merely reports it; the deadlock is xdev_collect() waiting with mbox_lock held
 * never: a firmware or hardware fault; the timer or the idle task as the cause; a kworker pool that starves; a lost interrupt
 * guest: insmod /test/xdev-heartbeat.ko
 */
#include "crash.h"
#include <linux/completion.h>

struct xdev {
	char name[16];
	struct mutex mbox_lock;
	struct delayed_work beat;
	struct timer_list watchdog;
	struct completion dump_ack;
	u32 beats, last_beats, missed, dumps;
	bool dump_asked;
};

static void xdev_beat(struct work_struct *work)
{
	struct xdev *x = container_of(to_delayed_work(work), struct xdev, beat);

	mutex_lock(&x->mbox_lock);
	x->beats++;
	if (x->dump_asked) {
		x->dump_asked = false;
		complete(&x->dump_ack);
	}
	mutex_unlock(&x->mbox_lock);
	schedule_delayed_work(&x->beat, HZ / 2);
}

static void xdev_watchdog(struct timer_list *t)
{
	struct xdev *x = from_timer(x, t, watchdog);

	if (x->beats == x->last_beats)
		x->missed++;
	else
		x->missed = 0;
	x->last_beats = x->beats;
	if (x->missed >= 8)
		panic("%s: firmware heartbeat stopped at %u, device is dead\n",
		      x->name, x->beats);
	mod_timer(&x->watchdog, jiffies + HZ);
}

static noinline int xdev_collect(struct xdev *x)
{
	int err = 0;

	mutex_lock(&x->mbox_lock);
	x->dump_asked = true;
	if (!wait_for_completion_timeout(&x->dump_ack, 120 * HZ))
		err = -ETIMEDOUT;
	x->dumps++;
	mutex_unlock(&x->mbox_lock);
	return err;
}

static int xdev_dump(void *data)
{
	msleep(3000);
	return xdev_collect(data);
}

static int __init xdev_init(void)
{
	struct xdev *x = kzalloc(sizeof(*x), GFP_KERNEL);

	if (!x)
		return -ENOMEM;
	strscpy(x->name, "xdev0", sizeof(x->name));
	mutex_init(&x->mbox_lock);
	init_completion(&x->dump_ack);
	INIT_DELAYED_WORK(&x->beat, xdev_beat);
	timer_setup(&x->watchdog, xdev_watchdog, 0);
	schedule_delayed_work(&x->beat, HZ / 2);
	mod_timer(&x->watchdog, jiffies + HZ);
	return run_thread(xdev_dump, x, -1, "xdev-dump");
}
module_init(xdev_init);
