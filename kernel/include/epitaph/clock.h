/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that stamps events: raw, and good in NMI. */
#ifndef _EPITAPH_CLOCK_H
#define _EPITAPH_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <epitaph/arch_clock.h>

/* Chosen once, before the first event. */
extern bool epitaph_clock_is_counter;

/* The clock where it is no counter of the CPU: a function of the kernel's, good in NMI. */
u64 epitaph_clock_of_kernel(void);

/**
 * epitaph_clock() - now, in ticks of the clock that the header names
 *
 * Context: any, NMI included.
 */
static __always_inline u64 epitaph_clock(void)
{
	if (EPITAPH_ARCH_COUNTER && likely(epitaph_clock_is_counter))
		return epitaph_arch_counter();
	return epitaph_clock_of_kernel();
}

/* The same, if it is near. */
static __always_inline u64 epitaph_clock_near(void)
{
	return epitaph_arch_counter();
}

/**
 * epitaph_clock_is_near() - the clock is an instruction, not a function
 *
 * Context: any, NMI included.
 */
static __always_inline bool epitaph_clock_is_near(void)
{
	return EPITAPH_ARCH_COUNTER && epitaph_clock_is_counter;
}

/**
 * epitaph_clock_ordered() - the same, read behind every load before it
 *
 * Context: any, NMI included.
 */
static __always_inline u64 epitaph_clock_ordered(void)
{
	if (epitaph_clock_is_near())
		return epitaph_arch_counter_ordered();
	return epitaph_clock_of_kernel();
}

#endif /* _EPITAPH_CLOCK_H */
