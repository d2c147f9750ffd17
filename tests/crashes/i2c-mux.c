// SPDX-License-Identifier: GPL-2.0-only
/*
 * Two rt-mutexes of two buses are taken in two orders.  "scanner" wants one of them.
 *
 * pattern: lock order of two rt-mutexes
 * upstream: the class of i2c_lock_bus() over muxes
 * finding: deadlock: "sensor" holds bus_a and wants bus_b, "eeprom" the other way
 * never: "scanner"
 * must: ^shown: A deadlock: .*(sensor-[0-9]+.*eeprom|eeprom-[0-9]+.*sensor)
 * not: scanner-[0-9]+ holds
 * guest: echo 8 >/proc/sys/kernel/hung_task_timeout_secs
 * guest: echo 1 >/proc/sys/kernel/hung_task_panic
 * guest: insmod /test/i2c-mux.ko
 */
#include <linux/rtmutex.h>
#include "crash.h"

static DEFINE_RT_MUTEX(bus_a);
static DEFINE_RT_MUTEX(bus_b);
static u64 reads;

static noinline void mux_read(struct rt_mutex *from, struct rt_mutex *to, int ms)
{
	rt_mutex_lock(from);
	msleep(ms);
	rt_mutex_lock(to);
	reads++;
	rt_mutex_unlock(to);
	rt_mutex_unlock(from);
}

static int sensor(void *unused)
{
	for (;;) {
		mux_read(&bus_a, &bus_b, 7);
		msleep(31);
	}
	return 0;
}

static int eeprom(void *unused)
{
	for (;;) {
		mux_read(&bus_b, &bus_a, 5);
		msleep(44);
	}
	return 0;
}

static int scanner(void *unused)
{
	for (;;) {
		msleep(700);
		rt_mutex_lock(&bus_a);
		reads++;
		rt_mutex_unlock(&bus_a);
	}
	return 0;
}

static int __init mux_init(void)
{
	run_thread(scanner, NULL, -1, "scanner");
	run_thread(sensor, NULL, -1, "sensor");
	return run_thread(eeprom, NULL, -1, "eeprom");
}
module_init(mux_init);
