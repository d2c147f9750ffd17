/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How far the clocks of CPUs differ, as the recorder measured it: docs/clocks.md. */
#ifndef EPITAPH_REGION_SKEW_H
#define EPITAPH_REGION_SKEW_H

#include "generation.h"

/**
 * struct skew_entry - one measurement, in ticks
 * @clock: of the reference CPU then
 * @at: the CPU's own clock then
 * @offset: how far that is ahead, within @bound
 * @reason: enum epitaph_skew_reason
 */
struct skew_entry {
	u32 cpu;
	u32 reason;
	u64 seq;
	u64 clock;
	u64 at;
	s64 offset;
	u64 bound;
};

/**
 * struct skew_of_cpu - the measurements of one CPU
 * @first: in entries; @nr of them
 * @lost_older: there were some before
 * @began_anew: its clock went back between two measurements; those before it do not count
 */
struct skew_of_cpu {
	u32 first;
	u32 nr;
	bool lost_older;
	bool began_anew;
};

/**
 * struct skew - all measurements of a generation
 * @entries: nr of them, by CPU and number
 * @cpus: nr_cpus of them; further CPUs were not measured
 * @reference: CPU; NO_CPU: there is no good entry
 * @unknown: ticks, the bound where nothing is known
 * @most: the largest distance between the clock of a CPU and that of the reference
 */
struct skew {
	struct skew_entry *entries;
	u32 nr;
	struct skew_of_cpu *cpus;
	u32 nr_cpus;
	u32 reference;
	u64 unknown;
	u64 most;
};

/**
 * skew_read() - read the measurements of @generation
 * @ret: free with skew_free(); NULL: the recorder did not measure.  With no good entry, nothing is
 *	known of any CPU.
 * @unknown: ticks
 *
 * Notes damaged entries in @generation.
 *
 * Return: 0, or an error: no memory.
 */
int skew_read(struct skew **ret, struct generation *generation, u64 unknown, struct err *err);

/* Accepts NULL, as all below. */
void skew_free(struct skew *skew);

/* What the reference's clock said when that of @cpu said @value; never less than 0. */
u64 skew_correct(const struct skew *skew, u32 cpu, u64 value);

/* How far skew_correct() may be off, ticks; of NO_CPU, of any one. */
u64 skew_bound(const struct skew *skew, u32 cpu, u64 value);

/* The largest bound that a CPU has behind its last measurement, ticks; CPUs that have none do not count. */
u64 skew_bound_now(const struct skew *skew);

/* The last value of the clock of @cpu that is not later than @time of the reference's. */
u64 skew_on_cpu(const struct skew *skew, u32 cpu, u64 time);

/* The largest distance between the clock of a CPU and that of the reference, ticks. */
static inline u64 skew_most(const struct skew *skew)
{
	return skew ? skew->most : 0;
}

/* The reference is; in a region where the recorder did not measure, all count as equal. */
bool skew_is_measured(const struct skew *skew, u32 cpu);

/* Its clock was seen to differ: the last measurement that says so, or NULL. */
const struct skew_entry *skew_found(const struct skew *skew, u32 cpu);

#endif
