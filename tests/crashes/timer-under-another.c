// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A module leaves its timer armed when it is unloaded; another module is loaded, and lies where it was when
 * the timer fires.
 *
 * pattern: missing del_timer_sync() in module_exit()
 * upstream: CVE-2024-38630, watchdog: cpu5wdt: the timer outlives the module's removal
 * modules: dummy
 * finding: the timer was armed for a function of led_blink, which was unloaded; `dummy` lies there by chance
 * never: the module `dummy`, the interrupted task
 * must: ^(shown|likely): .*led_blink[0-7]\(\) of module timer_under_another
 * not: ^(shown|likely): .*(of module dummy|dummy_|swapper)
 * kernels: 6.1
 * guest: insmod /test/timer-under-another.ko
 * guest: sleep 1
 * guest: rmmod timer_under_another
 * guest: load_modules /lib/modules
 * guest: sleep 9
 */
#include "crash.h"

/* Of a driver with much code: what comes to lie there is entered at many places. */
#define LED(n)								\
static void led_blink##n(struct timer_list *t)				\
{									\
	mod_timer(t, jiffies + 4 * HZ);					\
	asm volatile(".fill 190, 1, 0x90");				\
}
LED(0) LED(1) LED(2) LED(3) LED(4) LED(5) LED(6) LED(7)

static void (*const blinks[])(struct timer_list *) = {
	led_blink0, led_blink1, led_blink2, led_blink3, led_blink4, led_blink5, led_blink6, led_blink7,
};

static struct timer_list *leds;

static int __init blink_init(void)
{
	int i;

	leds = kcalloc(ARRAY_SIZE(blinks), sizeof(*leds), GFP_KERNEL);
	if (!leds)
		return -ENOMEM;
	for (i = 0; i < ARRAY_SIZE(blinks); i++) {
		timer_setup(&leds[i], blinks[i], 0);
		mod_timer(&leds[i], jiffies + 4 * HZ + i);
	}
	return 0;
}
module_init(blink_init);

static void __exit blink_exit(void)
{
}
module_exit(blink_exit);
