// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module is removed, its timer is not.
 *
 * pattern: missing del_timer_sync() in module_exit()
 * upstream: CVE-2024-38630, watchdog: cpu5wdt: the timer outlives the module's removal
 * finding: jump to an address where module timer_left_behind was; it was unloaded SECONDS before; a
 *	timer of it fired
 * never: swapper or the interrupted task; the timer code; wild jump of unknown origin; freed slab
 * must: ^likely: .*beat\(\) of module timer_left_behind was.*unloaded
 * not: swapper
 * guest: insmod /test/timer-left-behind.ko
 * guest: sleep 3
 * guest: rmmod timer_left_behind
 */
#include "crash.h"

static DEFINE_TIMER(timer, NULL);

static void beat(struct timer_list *t)
{
	mod_timer(t, jiffies + HZ / 2);
}

static struct timer_list *separate;

static int __init beat_init(void)
{
	separate = kzalloc(sizeof(*separate), GFP_KERNEL);
	timer_setup(separate, beat, 0);
	return mod_timer(separate, jiffies + HZ / 2);
}
module_init(beat_init);

static void __exit beat_exit(void)
{
	del_timer_sync(&timer);	/* the wrong one */
}
module_exit(beat_exit);
