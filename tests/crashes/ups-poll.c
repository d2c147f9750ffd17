// SPDX-License-Identifier: GPL-2.0-only
/*
 * A poller sleeps until its next turn with the mutex of its device held.  One turn takes longer than the period, and the
 * time that is left is negative: msleep() takes it for all there is.
 *
 * pattern: msleep() of a difference of times that went below zero
 * upstream: the class of "msleep() with an unsigned underflow" and of schedule_timeout() with a negative value (hwmon, ipmi, scsi)
 * finding: ups-poll holds ups->lock and sleeps in msleep(), called by ups_pace(), for ever: ups_turn() gave it a time below zero, as its turn took longer than the period
 * never: ups-shell, which only waits for ups->lock; a deadlock; a device that does not answer; a wakeup that was lost
 * must: ^likely: .*ups-poll-[0-9]+ .*sleeps for ever, in ups_turn\(\) .*below zero
 * not: ups-shell-[0-9]+ (holds|sleeps)|deadlock|never woken|device
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/ups-poll.ko
 */
#include "crash.h"

#define PERIOD 100

struct ups {
	struct mutex lock;
	u32 volts, load, runtime;
	u32 turns;
};

static struct ups ups0;

static noinline void ups_read(struct ups *ups)
{
	ups->volts = 230;
	ups->load = ups->turns * 7 % 100;
	msleep(++ups->turns == 40 ? 140 : 20);
}

static noinline void ups_pace(unsigned int left)
{
	if (left)
		msleep(left);
}

static noinline void ups_turn(struct ups *ups)
{
	unsigned long began = jiffies;

	mutex_lock(&ups->lock);
	ups_read(ups);
	ups_pace(PERIOD - jiffies_to_msecs(jiffies - began));
	mutex_unlock(&ups->lock);
}

static int ups_poll(void *data)
{
	for (;;) {
		ups_turn(data);
		msleep(20);
	}
	return 0;
}

static int ups_shell(void *data)
{
	struct ups *ups = data;
	u64 sum = 0;

	for (;;) {
		mutex_lock(&ups->lock);
		sum += ups->load;
		mutex_unlock(&ups->lock);
		msleep(250);
	}
	return sum;
}

static int __init ups_init(void)
{
	mutex_init(&ups0.lock);
	run_thread(ups_poll, &ups0, -1, "ups-poll");
	return run_thread(ups_shell, &ups0, -1, "ups-shell");
}
module_init(ups_init);
