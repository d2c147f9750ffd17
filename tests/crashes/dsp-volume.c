// SPDX-License-Identifier: GPL-2.0-only
/*
 * A write to /proc with a value that is too large returns with the mutex held.  The shell that wrote lives on.  "meter"
 * waits.
 *
 * pattern: missing unlock in an error path of a write() of a program that goes on
 * upstream: the class of "fix missing mutex_unlock() on error" in sysfs and ioctl handlers
 * finding: volume_set() of this module came back with dsp_lock held, in the task "init" (the shell); "meter" waits
 * never: that the shell itself or do_wait() is to blame; "meter"
 * must: ^likely: .*volume_set\(\)
 * not: meter-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/dsp-volume.ko
 * guest: echo 5 >/proc/dsp_volume
 * guest: sleep 1
 * guest: echo 11 >/proc/dsp_volume || :
 * guest: while :; do sleep 0.2; done &
 * guest: while :; do read line </proc/uptime; sleep 1; done
 */
#include "crash.h"

static DEFINE_MUTEX(dsp_lock);
static unsigned int volume, peaks;

static noinline int volume_set(unsigned int val)
{
	mutex_lock(&dsp_lock);
	if (val > 10)
		return -ERANGE;
	volume = val;
	mutex_unlock(&dsp_lock);
	return 0;
}

PROC_NUMBER(volume, volume_set);

static noinline void meter_read(void)
{
	mutex_lock(&dsp_lock);
	peaks += volume;
	mutex_unlock(&dsp_lock);
}

static int meter(void *unused)
{
	for (;;) {
		meter_read();
		msleep(50);
	}
	return 0;
}

static int __init dsp_init(void)
{
	proc_create("dsp_volume", 0200, NULL, &volume_pops);
	return run_thread(meter, NULL, -1, "meter");
}
module_init(dsp_init);
