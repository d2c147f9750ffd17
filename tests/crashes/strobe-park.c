// SPDX-License-Identifier: GPL-2.0-only
/*
 * A lamp is paused by parking its thread, which looks only whether it has to stop.
 *
 * pattern: kthread_park() of a thread that does not look at kthread_should_park()
 * upstream: the class of kthread_park() misuse (drm scheduler, dvb, habanalabs)
 * finding: lamp-ctl waits in kthread_park(), called by lamp_pause(), for "strobe", which goes round in strobe_run() and never parks: it does not ask kthread_should_park()
 * never: lamp-status, which waits for lamp_lock of lamp-ctl; a deadlock; the thread's missing wakeup
 * must: strobe-[0-9]+ .*park|park.* strobe-[0-9]+
 * not: deadlock|lamp-status-[0-9]+ (holds|is)
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/strobe-park.ko
 */
#include "crash.h"

static DEFINE_MUTEX(lamp_lock);
static struct task_struct *strobe;
static u64 flashes, asked;

static noinline void strobe_flash(void)
{
	flashes++;
	usleep_range(4000, 6000);
}

static int strobe_run(void *unused)
{
	while (!kthread_should_stop())
		strobe_flash();
	return 0;
}

static noinline void lamp_pause(void)
{
	mutex_lock(&lamp_lock);
	kthread_park(strobe);
	mutex_unlock(&lamp_lock);
}

static int lamp_ctl(void *unused)
{
	msleep(1000);
	lamp_pause();
	return 0;
}

static int lamp_status(void *unused)
{
	for (;;) {
		mutex_lock(&lamp_lock);
		asked++;
		mutex_unlock(&lamp_lock);
		msleep(70);
	}
	return 0;
}

static int __init lamp_init(void)
{
	strobe = kthread_run(strobe_run, NULL, "strobe");
	if (IS_ERR(strobe))
		return PTR_ERR(strobe);
	run_thread(lamp_status, NULL, 0, "lamp-status");
	return run_thread(lamp_ctl, NULL, 1, "lamp-ctl");
}
module_init(lamp_init);
