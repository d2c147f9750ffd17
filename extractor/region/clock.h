/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the clock of events to CLOCK_MONOTONIC and to the time of day. */
#ifndef EPITAPH_REGION_CLOCK_H
#define EPITAPH_REGION_CLOCK_H

#include "generation.h"
#include "skew.h"

#define CLOCK_MAX_ANCHORS	4096

/*
 * trace_clock_local() of two CPUs may differ by one tick of the kernel where the hardware has no
 * common clock. The slowest kernel has 100 ticks a second.
 */
#define CLOCK_LOCAL_DOUBT_NS	10000000

/*
 * One reading of all clocks. @width: ticks that the reading took. @resumes: after a suspend, in which
 * CLOCK_MONOTONIC stood still and the clock of events may have gone on. @unstable: the kernel had found
 * the clock of events unstable.
 */
struct clock_anchor {
	u64 clock;
	u64 mono_ns;
	u64 real_ns;
	u64 boot_ns;
	u64 width;
	bool resumes;
	bool unstable;
};

struct clock_stretch;

/**
 * struct clock - the conversion of the event clock of one generation
 * @anchors: sorted by clock; at least one
 * @nr: number of anchors
 * @shift: the time of an event is clock >> shift
 * @khz: frequency of the clock, from the header
 * @id: enum epitaph_clock_id
 * @bound_ns: half the width of the widest anchor
 * @is_unstable: the kernel found the clock unstable while it recorded
 * @began_anew: it went back while it recorded, as at a resume: of two values the larger may be the older
 * @unstable_ns: CLOCK_MONOTONIC of the first anchor that says so
 * @from_header: no anchor is good; the times follow from the header
 * @skew: of the CPUs' clocks, whose values here are all those of one, the reference; NULL: not measured
 * @stretch: cache: the two anchors of the last conversion; NULL: no cache
 */
struct clock {
	struct clock_anchor *anchors;
	u32 nr;
	u32 shift;
	u32 khz;
	u32 id;
	u64 bound_ns;
	bool is_unstable;
	bool began_anew;
	u64 unstable_ns;
	bool from_header;
	struct skew *skew;
	struct clock_stretch *stretch;
};

/**
 * clock_read() - read the clock of @generation
 * @clock: filled in; clock_free() is needed also after an error
 *
 * Notes damaged anchors in @generation.
 *
 * Return: 0, or an error: no memory.
 */
int clock_read(struct clock *clock, struct generation *generation, struct err *err);
void clock_free(struct clock *clock);

/* The value for what follows, when the clock of @cpu said @value; NO_CPU: unknown. */
static inline u64 clock_on_reference(const struct clock *clock, u32 cpu, u64 value)
{
	return clock->skew ? skew_correct(clock->skew, cpu, value) : value;
}

/* How far that may be off the clocks of other CPUs, ns. */
u64 clock_skew_bound(const struct clock *clock, u32 cpu, u64 value);

/* How far two corrected times of now may be off each other, ns. */
u64 clock_skew_now(const struct clock *clock);

/* The last time of an event on @cpu that is not later than @time on the reference. */
u64 clock_time_on_cpu(const struct clock *clock, u32 cpu, u64 time);

/* CLOCK_MONOTONIC, and ns of UTC since 1970, at @value of the clock; never less than 0. */
u64 clock_mono(const struct clock *clock, u64 value);
u64 clock_real(const struct clock *clock, u64 value);

/* The first value of the clock that is not before @ns of CLOCK_MONOTONIC. */
u64 clock_of_mono(const struct clock *clock, u64 ns);

/* UTC at @ns of CLOCK_MONOTONIC, also before the first value of the clock; 0: unknown. */
u64 clock_real_of_mono(const struct clock *clock, u64 ns);

/* The value of the clock at the time of an event. */
static inline u64 clock_of_time(const struct clock *clock, u64 time)
{
	return time << clock->shift;
}

/* How often the machine was suspended while it recorded, as far as is known, and ns in all. */
u32 clock_suspends(const struct clock *clock, u64 *ret_ns);

/* The duration in ns of @ticks, rounded up. */
u64 clock_ticks_ns(const struct clock *clock, u64 ticks);

/* The same of ticks ahead, or behind. */
static inline s64 clock_offset_ns(const struct clock *clock, s64 offset)
{
	return offset < 0 ? -(s64)clock_ticks_ns(clock, -(u64)offset) : (s64)clock_ticks_ns(clock, offset);
}

/* The duration in ns of @units of event time, rounded up. */
u64 clock_units_ns(const struct clock *clock, u64 units);

/*
 * The order of events on two CPUs is uncertain if they are this many units apart or fewer. How far
 * the clocks of an unstable TSC differ is not known; it is taken for CLOCK_LOCAL_DOUBT_NS.
 */
u64 clock_doubt(const struct clock *clock);

#endif
