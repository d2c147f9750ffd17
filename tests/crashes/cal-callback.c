// SPDX-License-Identifier: GPL-2.0-only
/*
 * A timer's function was marked __init; the module's init memory is long freed when the timer fires.
 *
 * pattern: callback in the freed .init.text of a loaded module
 * upstream: the class of section mismatches ("remove __init from ... callback", e.g. clocksource, watchdog and platform probe functions)
 * finding: the timer cal_timer of the live struct sampler calls an address of module space that belongs to no loaded module's kept text: most probably code of the init section of this module, cal_callback (loaded, never unloaded), which is freed once init returned; nothing of that code is left in the dump to name the function by
 * never: an unloaded module (none was); a freed or corrupted struct sampler; NULL; the idle or interrupted task as the cause
 * guest: insmod /test/cal-callback.ko
 */
#include "crash.h"

struct sampler {
	char name[16];
	u32 samples, offset;
	struct timer_list tick_timer;
	struct timer_list cal_timer;
};

static struct sampler *sampler;

static void sampler_tick(struct timer_list *t)
{
	struct sampler *s = from_timer(s, t, tick_timer);

	s->samples++;
	mod_timer(&s->tick_timer, jiffies + HZ / 4);
}

static void __init sampler_calibrated(struct timer_list *t)
{
	struct sampler *s = from_timer(s, t, cal_timer);

	s->offset = s->samples & 7;
}

static int __init sampler_init(void)
{
	sampler = kzalloc(sizeof(*sampler), GFP_KERNEL);
	if (!sampler)
		return -ENOMEM;
	strscpy(sampler->name, "adc0", sizeof(sampler->name));
	timer_setup(&sampler->tick_timer, sampler_tick, 0);
	timer_setup(&sampler->cal_timer, sampler_calibrated, 0);
	mod_timer(&sampler->tick_timer, jiffies + HZ / 4);
	mod_timer(&sampler->cal_timer, jiffies + 4 * HZ);
	return 0;
}
module_init(sampler_init);
