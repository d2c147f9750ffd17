// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver stops its thread on removal, and the thread never looks whether it has to.
 *
 * pattern: kthread_stop() of a thread without kthread_should_stop()
 * upstream: the class of removal paths that hang in kthread_stop() (media, staging, w1)
 * finding: "unplug" waits in kthread_stop() for "badge", which goes round in door_poll() and does not end
 * never: "front-desk"; "unplug" as the end of the chain
 * must: ^shown: front-desk-[0-9]+ waits .*badge-[0-9]+ has to end .*door_poll
 * not: deadlock
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/door-lock.ko
 */
#include "crash.h"

struct door {
	struct mutex lock;
	struct task_struct *badge;
	unsigned int swipes, opened;
};

static struct door door;

static noinline bool door_poll(struct door *d)
{
	msleep(40);
	return ++d->swipes % 50 == 0;
}

static int badge(void *data)
{
	struct door *d = data;

	for (;;)
		if (door_poll(d))
			d->opened++;
	return 0;
}

static noinline void door_remove(struct door *d)
{
	mutex_lock(&d->lock);
	kthread_stop(d->badge);
	d->badge = NULL;
	mutex_unlock(&d->lock);
}

static int unplug(void *data)
{
	msleep(1200);
	door_remove(data);
	return 0;
}

static int front_desk(void *data)
{
	struct door *d = data;

	for (;;) {
		mutex_lock(&d->lock);
		d->opened = 0;
		mutex_unlock(&d->lock);
		msleep(500);
	}
	return 0;
}

static int __init door_init(void)
{
	mutex_init(&door.lock);
	door.badge = kthread_run(badge, &door, "badge");
	if (IS_ERR(door.badge))
		return PTR_ERR(door.badge);
	run_thread(front_desk, &door, -1, "front-desk");
	return run_thread(unplug, &door, -1, "unplug");
}
module_init(door_init);
