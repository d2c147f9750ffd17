/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the clock of events to CLOCK_MONOTONIC and to the time of day. */
#ifndef EPITAPH_REGION_CLOCK_H
#define EPITAPH_REGION_CLOCK_H

#include "generation.h"

#define CLOCK_MAX_ANCHORS	4096

/*
 * recording_clock_local() of two CPUs may differ by a tick of the kernel's where
 * the hardware has no common clock; the slowest kernel has 100 a second.
 */
#define CLOCK_LOCAL_DOUBT_NS	10000000

struct clock_anchor {
	u64 clock;
	u64 mono_ns;
	u64 real_ns;
	u64 width;
};

struct clock_stretch;

/**
 * struct clock - the conversion
 * @anchors: by clock, nr of them; at least the header's own
 * @shift: an event's time is clock >> shift
 * @khz: as the header says
 * @bound_ns: half the width of the widest anchor
 * @from_header: there was no good anchor
 * @stretch: between the two anchors that were needed last; NULL: nothing is remembered
 */
struct clock {
	struct clock_anchor *anchors;
	u32 nr;
	u32 shift;
	u32 khz;
	u32 id;
	u64 bound_ns;
	bool from_header;
	struct clock_stretch *stretch;
};

int clock_read(struct clock *clock, struct generation *generation, struct err *err);
void clock_free(struct clock *clock);

/* CLOCK_MONOTONIC, and UTC since 1970, of a value of the clock; never less than 0. */
u64 clock_mono(const struct clock *clock, u64 value);
u64 clock_real(const struct clock *clock, u64 value);

/* The first value of the clock that is not before @ns of CLOCK_MONOTONIC. */
u64 clock_of_mono(const struct clock *clock, u64 ns);

/* UTC at @ns of CLOCK_MONOTONIC, also of what was before the clock has a value; 0: there is none. */
u64 clock_real_of_mono(const struct clock *clock, u64 ns);

/* Of a time as events carry it. */
static inline u64 clock_of_time(const struct clock *clock, u64 time)
{
	return time << clock->shift;
}

/* Duration of @units of events' time, rounded up. */
u64 clock_units_ns(const struct clock *clock, u64 units);

/* Events of different CPUs as many units apart, or less, are in no certain order. */
u64 clock_doubt(const struct clock *clock);

#endif
