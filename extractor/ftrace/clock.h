/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the clock of a buffer of the kernel's own trace to CLOCK_MONOTONIC. */
#ifndef EPITAPH_FTRACE_CLOCK_H
#define EPITAPH_FTRACE_CLOCK_H

#include "linux_kernel/timekeeping.h"
#include "kernel_layout.h"

enum ftrace_clock_kind {
	FTRACE_CLOCK_NONE,	/* numbers that are no ns, or are unknown: "counter" */
	FTRACE_CLOCK_OWN,	/* ns at an unknown distance from CLOCK_MONOTONIC */
	FTRACE_CLOCK_SCHED,	/* "local": sched_clock() */
	FTRACE_CLOCK_LOCAL,	/* "global", "perf": local_clock(), what printk stamps with */
	FTRACE_CLOCK_MONO,
	FTRACE_CLOCK_RAW,	/* "mono_raw" */
	FTRACE_CLOCK_BOOT,
	FTRACE_CLOCK_TAI,
	FTRACE_CLOCK_TSC,	/* "x86-tsc" where the kernel's time is made of it */
	FTRACE_CLOCK_TICKS,	/* "uptime": hundredths of a second since the start */
};

/**
 * struct ftrace_clock - of one buffer
 * @name: as the kernel has it; not escaped
 * @kclock: the kernel's, must outlive it; NULL only if ftrace_clock_is_own()
 */
struct ftrace_clock {
	enum ftrace_clock_kind kind;
	char name[32];
	const struct timekeeping *kclock;
};

/* The clock of which @buffer, a trace_buffer, has the function. */
void ftrace_clock_read(struct ftrace_clock *clock, const struct timekeeping *kclock,
		       const struct ftrace_memory *mem, u64 buffer);

/* The clock of a buffer without a setting. */
void ftrace_clock_usual(struct ftrace_clock *clock, const struct timekeeping *kclock);

/* Number @id of the kernel's table, of a buffer that its kernel is not there to tell of. */
void ftrace_clock_number(struct ftrace_clock *clock, u32 id);

/* It is another boot's: nothing is known of it but its unit. */
void ftrace_clock_forget(struct ftrace_clock *clock);

/* Are its times on no common timeline with anything else?  Those of FTRACE_CLOCK_NONE are no ns. */
bool ftrace_clock_is_own(const struct ftrace_clock *clock);

/*
 * CLOCK_MONOTONIC of a time, or, of a clock that is its own, the time itself; false: unknown.
 * @sched_offset: of the ring; only "local" needs it.
 */
bool ftrace_clock_mono(const struct ftrace_clock *clock, s64 sched_offset, u64 time, u64 *ret_ns);

/* Is it one that the kernel did not trust to compare CPUs by? */
bool ftrace_clock_is_unstable(const struct ftrace_clock *clock);

/* Events of different CPUs as many ns apart, or less, are in no certain order. */
u64 ftrace_clock_doubt(const struct ftrace_clock *clock);

/* How far CLOCK_MONOTONIC @mono of a time may be off. */
u64 ftrace_clock_bound(const struct ftrace_clock *clock, u64 mono);

#endif
