// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver asks for its clock; the answer is -EPROBE_DEFER, and is checked for NULL only.
 *
 * pattern: IS_ERR_OR_NULL() and NULL checks mixed up
 * upstream: the class of "check for IS_ERR() instead of NULL" (for example clk_get() in probes)
 * finding: an error number (-517) taken for a pointer, in clock_rate(), at +0x18
 * never: a wild pointer out of freed memory; the work queue
 * must: ^likely: clock_rate\(\) .*ERR_PTR\(-517\)
 * not: freed|wild
 * guest: insmod /test/clock-asked-too-early.ko
 */
#include "crash.h"

struct a_clock {
	void *ops, *parent, *core;
	unsigned long rate;
};

static noinline struct a_clock *clock_get(const char *name)
{
	return UNKNOWN((struct a_clock *)ERR_PTR(-EPROBE_DEFER));
}

static noinline unsigned long clock_rate(struct a_clock *clock)
{
	return READ_ONCE(clock->rate);
}

static void probe_later(struct work_struct *work)
{
	struct a_clock *clock = clock_get("bus");

	if (!clock)
		return;
	pr_info("bus: %lu\n", clock_rate(clock));
}
static DECLARE_DELAYED_WORK(probe, probe_later);

static int __init clock_init(void)
{
	schedule_delayed_work(&probe, HZ / 2);
	return 0;
}
module_init(clock_init);
