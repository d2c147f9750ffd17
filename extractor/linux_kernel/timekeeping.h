/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The clocks of the dumped kernel, out of its own timekeeping: from the one
 * that printk and ftrace stamp with (local_clock()) to CLOCK_MONOTONIC and on
 * to the time of day.  docs/kernel-memory.md says how, and what it is worth.
 */
#ifndef EPITAPH_LINUX_KERNEL_TIMEKEEPING_H
#define EPITAPH_LINUX_KERNEL_TIMEKEEPING_H

#include "kallsyms.h"
#include "btf.h"
#include "vmem.h"

enum timekeeping_local {
	KCLOCK_UNKNOWN,		/* local times cannot be converted; @why says why */
	KCLOCK_COUNTER,		/* both clocks count the same counter: exact at @mono_ns */
	KCLOCK_OFFSET,		/* their difference, as the kernel last saw it: within a tick */
};

/**
 * struct timekeeping - as the kernel left its clocks
 * @known: the rest but @local is; else nothing is, and @why says why
 * @why: why a part is unknown; "" if all is known
 * @source: what counts for CLOCK_MONOTONIC: "tsc"
 * @mono_ns: CLOCK_MONOTONIC when timekeeping was last updated, at most a tick before the crash
 *	while the kernel's timer works
 * @real_ns: UTC then
 * @boot_ns, @tai_ns, @raw_ns: CLOCK_BOOTTIME, CLOCK_TAI and CLOCK_MONOTONIC_RAW then; 0: unknown
 * @counter: of the source then
 * @mult, @shift: ns = counter * mult >> shift
 * @local: how local_clock() is converted
 * @local_ns: local_clock() at @mono_ns
 * @sched_offset: local_clock() - sched_clock(), which is what ftrace's clock "local" reads; of
 *	KCLOCK_OFFSET see timekeeping_sched_offset()
 * @local_mult, @local_shift: ns = counter * mult >> shift
 * @checked_from, @checked_to: between these times of CLOCK_MONOTONIC it was compared with what else is known
 *	of it, and is off by @checked_ns at most
 */
struct timekeeping {
	bool known;
	char why[160];
	char source[32];
	u64 mono_ns;
	u64 real_ns;
	u64 boot_ns;
	u64 tai_ns;
	u64 raw_ns;
	u64 counter;
	u32 mult;
	u32 shift;
	enum timekeeping_local local;
	u64 local_ns;
	s64 sched_offset;
	u32 local_mult;
	u32 local_shift;
	u64 checked_from;
	u64 checked_to;
	u64 checked_ns;
};

/* Read the clocks of the kernel; @clock->why says what is missing. */
void timekeeping_read(struct timekeeping *clock, struct vmem *vmem, struct kallsyms *kallsyms,
		      const struct kernel_btf *ktypes);

/*
 * local_clock() - sched_clock() of a CPU at its last tick, where the kernel corrects the one by
 * CLOCK_MONOTONIC at each tick because the other is of no use to compare CPUs: KCLOCK_OFFSET.
 *
 * Return: is it known?
 */
bool timekeeping_sched_offset(const struct timekeeping *clock, struct vmem *vmem,
			      struct kallsyms *kallsyms, const struct kernel_btf *ktypes, u32 cpu,
			      s64 *ret);

/*
 * CLOCK_MONOTONIC of a time of local_clock(), of CLOCK_BOOTTIME, of CLOCK_TAI, of
 * CLOCK_MONOTONIC_RAW, or of the counter (the TSC, if that is the source); never less than 0.
 *
 * Return: is it known?
 */
bool timekeeping_mono(const struct timekeeping *clock, u64 local_ns, u64 *mono_ns);
bool timekeeping_mono_of_boot(const struct timekeeping *clock, u64 boot_ns, u64 *mono_ns);
bool timekeeping_mono_of_tai(const struct timekeeping *clock, u64 tai_ns, u64 *mono_ns);
bool timekeeping_mono_of_raw(const struct timekeeping *clock, u64 raw_ns, u64 *mono_ns);
bool timekeeping_mono_of_counter(const struct timekeeping *clock, u64 counter, u64 *mono_ns);

/* UTC of a time of CLOCK_MONOTONIC, by what the kernel believed at the end. */
bool timekeeping_real(const struct timekeeping *clock, u64 mono_ns, u64 *real_ns);

/* By how much CLOCK_MONOTONIC of a local time may be wrong: it grows with the time before the end. */
u64 timekeeping_bound(const struct timekeeping *clock, u64 mono_ns);

#endif
