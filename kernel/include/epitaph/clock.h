/* SPDX-License-Identifier: GPL-2.0-only */
/* The clock that stamps events: raw, and good in NMI. */
#ifndef _EPITAPH_CLOCK_H
#define _EPITAPH_CLOCK_H

#include <linux/compiler.h>
#include <linux/trace_clock.h>
#include <linux/types.h>
#ifdef CONFIG_X86
#include <asm/tsc.h>
#endif

/* Chosen once, before the first event. */
extern bool epitaph_clock_is_tsc;

/**
 * epitaph_clock() - now, in ticks of the clock that the header names
 *
 * Context: any, NMI included.
 */
static __always_inline u64 epitaph_clock(void)
{
#ifdef CONFIG_X86
	if (likely(epitaph_clock_is_tsc))
		return rdtsc();
#endif
	return trace_clock_local();
}

/* The same, if it is near. */
static __always_inline u64 epitaph_clock_near(void)
{
#ifdef CONFIG_X86
	return rdtsc();
#else
	return trace_clock_local();
#endif
}

/**
 * epitaph_clock_is_near() - the clock is an instruction, not a function
 *
 * Context: any, NMI included.
 */
static __always_inline bool epitaph_clock_is_near(void)
{
	return epitaph_clock_is_tsc;
}

#endif /* _EPITAPH_CLOCK_H */
