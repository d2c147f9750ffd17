// SPDX-License-Identifier: GPL-2.0-only
/*
 * "tuner" reads a table under a read-write lock, and a function that it calls takes the lock to write.  "classifier"
 * reads it as well.
 *
 * pattern: write_lock() below read_lock() of the same task
 * upstream: the class of rwlock upgrades (bonding, bridge, ax25, fasync)
 * finding: "tuner" on CPU 1 waits for itself: qos_tune() has map_lock for reading, and qos_apply() wants it for
 *	writing
 * never: "classifier", which was reported
 * must: ^likely: CPU 1, task tuner-[0-9]+, waits for itself: qos_tune\(\).*qos_apply
 * not: classifier-[0-9]+, waits for itself|classifier-[0-9]+ holds
 * guest: echo 4 >/proc/sys/kernel/watchdog_thresh
 * guest: echo 1 >/proc/sys/kernel/softlockup_panic
 * guest: insmod /test/qos-map.ko
 */
#include "crash.h"

static DEFINE_RWLOCK(map_lock);
static u8 map[64];
static u64 hits, tuned;

static noinline void qos_apply(int i, u8 class)
{
	write_lock(&map_lock);
	map[i] = class;
	write_unlock(&map_lock);
}

static noinline void qos_tune(void)
{
	int i;

	read_lock(&map_lock);
	for (i = 0; i < 64; i++)
		if (map[i] == 3 && hits > 40)
			qos_apply(i, 4);
	tuned++;
	read_unlock(&map_lock);
}

static noinline int qos_class(int i)
{
	int class;

	read_lock(&map_lock);
	class = map[i];
	hits++;
	read_unlock(&map_lock);
	return class;
}

static int classifier(void *unused)
{
	int i = 0;

	for (;;) {
		qos_class(i++ % 64);
		msleep(15);
	}
	return 0;
}

static int tuner(void *unused)
{
	for (;;) {
		qos_tune();
		msleep(100);
	}
	return 0;
}

static int __init qos_init(void)
{
	map[17] = 3;
	run_thread(classifier, NULL, 0, "classifier");
	return run_thread(tuner, NULL, 1, "tuner");
}
module_init(qos_init);
