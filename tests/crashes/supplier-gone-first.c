// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A regulator's driver goes, and clears the pointer through which its consumer reaches it.  The consumer asks through it
 * later: its code is where the kernel dies, the order of removal is why.
 *
 * pattern: a supplier removed before its consumer
 * upstream: extcon, phy, regulator and mux consumers without a device link
 * finding: a NULL pointer plus an offset (field volts of struct supply) in fan_set(), in thread "fan", read from the variable
 *	fan_supply
 * never: an allocation that failed; freed memory; "meter", which looks at another supply
 * must: ^shown: fan_set\(\) .*NULL pointer
 * region: ^shown: fan_set\(\) .*NULL pointer
 * not: freed|failed|meter
 * guest: insmod /test/supplier-gone-first.ko
 */
#include "crash.h"

struct supply {
	char name[32];
	u32 min, max, volts, users;
};

static struct supply *fan_supply, *meter_supply;
static u32 metered;

static noinline void supply_remove(struct supply **supply)
{
	struct supply *old = *supply;

	WRITE_ONCE(*supply, NULL);
	kfree(old);
}

static noinline void fan_set(u32 volts)
{
	READ_ONCE(fan_supply)->volts = volts;
}

static int fan(void *unused)
{
	u32 volts = 0;

	for (;;) {
		msleep(150);
		fan_set(volts++ & 7);
	}
	return 0;
}

static int meter(void *unused)
{
	for (;;) {
		msleep(20);
		metered += READ_ONCE(meter_supply)->volts;
	}
	return 0;
}

static int unbind(void *unused)
{
	msleep(1000);
	supply_remove(&fan_supply);
	return 0;
}

static int __init supply_init(void)
{
	fan_supply = kzalloc(sizeof(*fan_supply), GFP_KERNEL);
	meter_supply = kzalloc(sizeof(*meter_supply), GFP_KERNEL);
	if (!fan_supply || !meter_supply)
		return -ENOMEM;
	run_thread(fan, NULL, 0, "fan");
	run_thread(meter, NULL, 1, "meter");
	run_thread(unbind, NULL, 1, "unbind");
	return 0;
}
module_init(supply_init);
