// SPDX-License-Identifier: GPL-2.0-only
/*
 * "dispatch" waits, with cab_lock held, for a work item of the thread "cab", which takes cab_lock.  "passenger" wants
 * the lock too.
 *
 * pattern: kthread_flush_work() under the lock of the work
 * upstream: the class of kthread_worker users: spi_message_queue, drm vblank workers, v4l2 and usb gadget
 * finding: deadlock: "dispatch" holds cab_lock and waits in kthread_flush_work() for lift_move(), which "cab" runs;
 *	"cab" waits for cab_lock
 * never: "passenger"; that "cab" hangs for a reason of its own; a lost wake-up
 * must: ^shown: A deadlock: .*(cab-[0-9]+ .*dispatch-[0-9]+|dispatch-[0-9]+ .*cab-[0-9]+)
 * not: passenger
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/lift-control.ko
 */
#include "crash.h"

static DEFINE_MUTEX(cab_lock);
static struct kthread_worker *cab;
static struct kthread_work move;
static unsigned int floor, calls;

static void lift_move(struct kthread_work *work)
{
	msleep(5);
	mutex_lock(&cab_lock);
	floor++;
	mutex_unlock(&cab_lock);
}

static noinline void lift_park(void)
{
	mutex_lock(&cab_lock);
	if (floor > 3)
		kthread_flush_work(&move);
	floor = 0;
	mutex_unlock(&cab_lock);
}

static int dispatch(void *unused)
{
	for (;;) {
		kthread_queue_work(cab, &move);
		if (++calls % 5 == 0)
			lift_park();
		msleep(50);
	}
	return 0;
}

static int passenger(void *unused)
{
	for (;;) {
		msleep(300);
		mutex_lock(&cab_lock);
		calls++;
		mutex_unlock(&cab_lock);
	}
	return 0;
}

static int __init lift_init(void)
{
	cab = kthread_create_worker(0, "cab");
	if (IS_ERR(cab))
		return PTR_ERR(cab);
	kthread_init_work(&move, lift_move);
	run_thread(passenger, NULL, -1, "passenger");
	return run_thread(dispatch, NULL, -1, "dispatch");
}
module_init(lift_init);
