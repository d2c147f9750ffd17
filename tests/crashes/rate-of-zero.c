// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process sets a rate of zero; the next period divides by it, in a kworker.
 *
 * pattern: divide by zero by a value from user space (framebuffer pixclock, sound rates)
 * upstream: CVE-2022-49978, fbdev: fb_pm2fb: divide by a pixclock of zero from user space
 * finding: divide error in next_period() of this module, divisor zero
 * never: the workqueue; sh, which had written the value long before, as the one that died
 * x86: others do not fault at a division
 * must: ^shown: .*next_period\(\) .*divided by zero
 * not: sh-|process_one_work
 * guest: insmod /test/rate-of-zero.ko
 * guest: sleep 1
 * guest: echo 0 >/sys/module/rate_of_zero/parameters/rate
 */
#include "crash.h"

static unsigned int rate = 50;
module_param(rate, uint, 0600);

static struct delayed_work work;

static noinline unsigned int next_period(unsigned int total)
{
	return total / READ_ONCE(rate);
}

static void period(struct work_struct *unused)
{
	schedule_delayed_work(&work, msecs_to_jiffies(next_period(10000)));
}

static int __init rate_init(void)
{
	INIT_DELAYED_WORK(&work, period);
	schedule_delayed_work(&work, 1);
	return 0;
}
module_init(rate_init);
