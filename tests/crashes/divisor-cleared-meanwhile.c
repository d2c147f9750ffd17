// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A function checks that a rate is not zero, and reads it again to divide; another CPU has cleared it between, and sets it
 * again at once: in the dump it is not zero.
 *
 * pattern: a value of shared memory read twice (time of check, time of use)
 * upstream: the class of divide errors of data races (for example tcp's icsk fields, taprio)
 * finding: a division by zero in rate_of(); the register of the divisor is zero
 * never: that the rate was never set; that a user gave it; an overflow of the quotient
 * must: ^shown: rate_of\(\) .*divided by zero
 * not: too large
 * guest: insmod /test/divisor-cleared-meanwhile.ko
 */
#include "crash.h"

static u32 rate = 48000;

static noinline u32 rate_of(u32 bytes)
{
	if (!READ_ONCE(rate))
		return 0;
	cpu_relax();
	return bytes / READ_ONCE(rate);
}

static int tuner(void *unused)
{
	u32 i;

	for (i = 0;; i++) {
		WRITE_ONCE(rate, 0);
		cpu_relax();
		WRITE_ONCE(rate, 48000);
		cpu_relax();
		if (i % 1024 == 0)
			cond_resched();
	}
	return 0;
}

static int player(void *unused)
{
	u32 i, sum = 0;

	for (i = 0;; i++) {
		sum += rate_of(i);
		if (i % 1024 == 0)
			cond_resched();
	}
	return sum;
}

static int __init rate_init(void)
{
	run_thread(tuner, NULL, 0, "tuner");
	return run_thread(player, NULL, 1, "player");
}
module_init(rate_init);
