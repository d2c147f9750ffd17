// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  The smallest number is divided by -1; a divisor of 0 was asked for before, and refused.
 *
 * pattern: the quotient of INT_MIN and -1 is no int
 * upstream: the class of "divide by -1 overflow" fixes (bpf: "fix divides by zero" and its sibling for INT_MIN / -1)
 * finding: tilt_scale() divides -2147483648 by -1: the quotient does not fit, which x86 reports as a divide error.  Nothing was divided by 0
 * never: a division by zero; the write of 0 to /proc/tilt-range
 * must: ^shown: tilt_scale\(\) .*divided -2147483648 by -1,
 * not: by 0,|by zero
 * x86: a divide error
 * guest: insmod /test/tilt-scale.ko
 * guest: echo 0 >/proc/tilt-range || echo refused
 */
#include "crash.h"

struct tilt_axis {
	s32 raw, scaled;
	s32 range;			/* negative: mounted the other way round */
};

struct tilt {
	struct mutex lock;
	struct tilt_axis axes[3];
	u32 samples, refused;
};

static struct tilt tilt0 = {
	.lock = __MUTEX_INITIALIZER(tilt0.lock),
	.axes = { { .range = 4 }, { .range = -1 }, { .range = 2 } },
};

static noinline int tilt_set_range(unsigned int range)
{
	if (!range || range > 16) {
		tilt0.refused++;
		return -EINVAL;
	}
	mutex_lock(&tilt0.lock);
	tilt0.axes[0].range = range;
	mutex_unlock(&tilt0.lock);
	return 0;
}

PROC_NUMBER(range, tilt_set_range);

static noinline s32 tilt_read(struct tilt *tilt, unsigned int axis)
{
	tilt->samples++;
	if (tilt->samples > 90 && axis == 1)	/* the sensor's overrange */
		return S32_MIN;
	return (s32)(tilt->samples * 7919) % 2000 - 1000;
}

static noinline s32 tilt_scale(const struct tilt_axis *axis)
{
	return axis->raw / axis->range;
}

static int tilt_poll(void *data)
{
	struct tilt *tilt = data;
	unsigned int i;

	for (;;) {
		mutex_lock(&tilt->lock);
		for (i = 0; i < ARRAY_SIZE(tilt->axes); i++) {
			tilt->axes[i].raw = tilt_read(tilt, i);
			tilt->axes[i].scaled = tilt_scale(&tilt->axes[i]);
		}
		mutex_unlock(&tilt->lock);
		msleep(50);
	}
	return 0;
}

static int __init tilt_init(void)
{
	if (!proc_create("tilt-range", 0200, NULL, &range_pops))
		return -ENOMEM;
	return run_thread(tilt_poll, &tilt0, -1, "tilt-poll");
}
module_init(tilt_init);
