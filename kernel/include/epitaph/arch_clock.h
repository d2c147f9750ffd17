/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The counter of each architecture that serves as the clock: one instruction, in any context.  All
 * else that differs between architectures is in kernel/arch/; this is here because each probe has it
 * inline, those of other modules too.
 *
 * EPITAPH_ARCH_COUNTER is its number in the header, 0 if there is none that we know.
 */
#ifndef _EPITAPH_ARCH_CLOCK_H
#define _EPITAPH_ARCH_CLOCK_H

#include <linux/compiler.h>
#include <linux/types.h>
#include <epitaph/format.h>

#if defined(CONFIG_X86_64)

#include <asm/tsc.h>

#define EPITAPH_ARCH_COUNTER		EPITAPH_CLOCK_TSC
#define EPITAPH_ARCH_COUNTER_NAME	"TSC"
#define EPITAPH_ARCH_COUNTER_WORD	"tsc"	/* of the parameter clock */

static __always_inline u64 epitaph_arch_counter(void)
{
	return rdtsc();
}

/* The same behind every load before it. */
static __always_inline u64 epitaph_arch_counter_ordered(void)
{
	return rdtsc_ordered();
}

#elif defined(CONFIG_ARM64)

#include <asm/barrier.h>
#include <asm/sysreg.h>

#define EPITAPH_ARCH_COUNTER		EPITAPH_CLOCK_CNTVCT
#define EPITAPH_ARCH_COUNTER_NAME	"cntvct_el0"
#define EPITAPH_ARCH_COUNTER_WORD	"cntvct"

/* No ISB before it: as with rdtsc(), it may be read some instructions early, on this CPU alone. */
static __always_inline u64 epitaph_arch_counter(void)
{
	return read_sysreg(cntvct_el0);
}

static __always_inline u64 epitaph_arch_counter_ordered(void)
{
	isb();
	return read_sysreg(cntvct_el0);
}

#elif defined(CONFIG_S390)

#include <asm/timex.h>

#define EPITAPH_ARCH_COUNTER		EPITAPH_CLOCK_TOD
#define EPITAPH_ARCH_COUNTER_NAME	"TOD clock"
#define EPITAPH_ARCH_COUNTER_WORD	"tod"

/* STCKF waits for no other CPU, as STCKE does, and so two times may be equal. */
static __always_inline u64 epitaph_arch_counter(void)
{
	return get_tod_clock_fast() >> EPITAPH_TOD_SHIFT;
}

/* By STCKE, which is behind all that is before it. */
static __always_inline u64 epitaph_arch_counter_ordered(void)
{
	return get_tod_clock() >> EPITAPH_TOD_SHIFT;
}

#else

#include <linux/trace_clock.h>

#define EPITAPH_ARCH_COUNTER		0
#define EPITAPH_ARCH_COUNTER_NAME	"clock"

static __always_inline u64 epitaph_arch_counter(void)
{
	return trace_clock_local();
}

static __always_inline u64 epitaph_arch_counter_ordered(void)
{
	return trace_clock_local();
}

#endif

#endif /* _EPITAPH_ARCH_CLOCK_H */
