// SPDX-License-Identifier: GPL-2.0-only
/*
 * Decoy.  A divide error with a divisor that is not zero: the quotient does not fit.
 *
 * pattern: mul_u64_u64_div_u64() whose result exceeds 64 bits
 * upstream: 77baa5bafcbe, sched/cputime: mul_u64_u64_div_u64() of a scaled runtime
 * finding: divide error in scale_time(); the quotient was too large
 * never: a division by zero
 * x86: others do not fault at a division
 * must: ^shown: scale_time\(\) .*the quotient was too large
 * not: divided by zero[.]
 * guest: insmod /test/quotient-too-large.ko
 */
#include "crash.h"

static noinline u64 scale_time(u64 runtime, u64 numerator, u64 denominator)
{
	u64 high, low;

	asm volatile("mulq %3" : "=a" (low), "=d" (high) : "0" (runtime), "rm" (numerator));
	asm volatile("divq %2" : "+a" (low), "+d" (high) : "r" (denominator));
	return low;
}

static int __init scale_init(void)
{
	u64 runtime = ~0ULL, total = 3;

	OPTIMIZER_HIDE_VAR(runtime);
	OPTIMIZER_HIDE_VAR(total);
	pr_info("scaled: %llu\n", scale_time(runtime, 4096, total));
	return 0;
}
module_init(scale_init);
