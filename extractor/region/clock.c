// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"

#include <endian.h>
#include <stdlib.h>

/* A slope spans at least this time, so that the width of its anchors does not distort it. */
#define SLOPE_NS	100000000ULL

/*
 * CLOCK_MONOTONIC and its siblings are read without a lock. Where the kernel corrects their speed, a CPU may
 * read what it would have been: in 10 ms of a tick, 500 ppm, as NTP corrects at most, are 5 us.
 */
#define KERNEL_DOUBT_NS	5000

/* A century and a half: a later time is damage. */
#define TIME_MAX	(1ULL << 62)

typedef __int128 s128;

/*
 * The conversion between two anchors. Consecutive calls mostly fall between the same two.
 * Values from @from on, @len of them, are @ns and on. The time rises by @rise ns in @span
 * values; @inverse is 2^64 / @span, rounded down.
 */
struct clock_stretch {
	u64 from;
	u64 len;
	u64 ns;
	u64 rise;
	u64 span;
	u64 inverse;
};

static int compare_anchor_clock(const void *a, const void *b)
{
	const struct clock_anchor *x = a, *y = b;

	return x->clock < y->clock ? -1 : x->clock > y->clock;
}

u64 clock_ticks_ns(const struct clock *clock, u64 ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000;

	ns = (ns + clock->khz - 1) / clock->khz;
	return ns >> 64 ? ~0ULL : (u64)ns;
}

static void read_anchors(struct clock *clock, struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_CLOCK);
	u64 n = section_entries(sec, sizeof(struct epitaph_anchor));
	u64 i, bound;

	for (i = 0; i < n && i < CLOCK_MAX_ANCHORS; i++) {
		struct epitaph_anchor raw;
		struct clock_anchor a;
		u32 cpu;
		int good = section_entry(generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (!good)
			continue;
		/* 0 is no CPU, and becomes NO_CPU. */
		cpu = (le32toh(raw.flags) >> EPITAPH_ANCHOR_CPU_SHIFT) - 1;
		a = (struct clock_anchor){
			.clock = clock_on_reference(clock, cpu, le64toh(raw.clock)), .mono_ns = le64toh(raw.mono_ns),
			.real_ns = le64toh(raw.real_ns), .width = le64toh(raw.width),
			.boot_ns = le64toh(raw.boot_ns),
			.resumes = le32toh(raw.reason) == EPITAPH_ANCHOR_RESUME,
			.unstable = le32toh(raw.flags) & EPITAPH_ANCHOR_UNSTABLE,
		};
		if (good != 1 || a.mono_ns > TIME_MAX || a.real_ns > TIME_MAX ||
		    a.width > TIME_MAX) {
			damage_notes_add(&generation->notes, sec->off + i * sec->unit,
					 "clock anchor %llu is damaged", i);
			continue;
		}
		clock->anchors[clock->nr++] = a;
		bound = clock_ticks_ns(clock, a.width / 2 + a.width % 2);
		if (bound > clock->bound_ns)
			clock->bound_ns = bound;
	}
}

static void find_unstable(struct clock *clock)
{
	u32 i;

	for (i = 0; i < clock->nr && !clock->anchors[i].unstable; i++)
		;
	clock->is_unstable = i < clock->nr;
	if (clock->is_unstable)
		clock->unstable_ns = clock->anchors[i].mono_ns;
}

static u64 clamp_time(u64 ns)
{
	return ns < TIME_MAX ? ns : TIME_MAX;
}

int clock_read(struct clock *clock, struct generation *generation, struct err *err)
{
	u32 i, n = 1;
	int ret = 0;

	*clock = (struct clock){ .shift = generation->hdr.clock_shift,
				 .khz = generation->hdr.clock_khz,
				 .id = generation->hdr.clock_id };
	if (!clock->khz) {
		clock->khz = 1000000;
		damage_notes_add(&generation->notes, offsetof(struct epitaph_header, clock_khz),
				 "clock_khz is 0: one tick is taken for a nanosecond");
	}
	clock->anchors = malloc(CLOCK_MAX_ANCHORS * sizeof(*clock->anchors));
	clock->stretch = calloc(1, sizeof(*clock->stretch));
	if (!clock->anchors || !clock->stretch)
		return err_sys(err, "memory for the clock");
	/* The recorder does not measure the local clock, and one CPU has no order with another. */
	if (clock->id != EPITAPH_CLOCK_LOCAL && generation->hdr.nr_cpus > 1)
		ret = skew_read(&clock->skew, generation,
				(u64)CLOCK_LOCAL_DOUBT_NS * clock->khz / 1000000, err);
	if (ret)
		return ret;
	read_anchors(clock, generation);
	if (!clock->nr) {
		clock->anchors[clock->nr++] = (struct clock_anchor){
			.clock = generation->hdr.start_clock,
			.mono_ns = clamp_time(generation->hdr.start_mono_ns),
			.real_ns = clamp_time(generation->hdr.start_real_ns),
		};
		clock->from_header = true;
		damage_notes_add(&generation->notes, NOTE_NOWHERE,
				 "no clock anchor is good: times follow from the header alone");
	}
	qsort(clock->anchors, clock->nr, sizeof(*clock->anchors), compare_anchor_clock);
	/* Two anchors at one instant, or an anchor that goes back, give no slope. */
	for (i = 1; i < clock->nr; i++) {
		const struct clock_anchor *now = &clock->anchors[i], *before = &clock->anchors[n - 1];

		clock->began_anew |= now->mono_ns < before->mono_ns;
		if (now->clock > before->clock && now->mono_ns > before->mono_ns)
			clock->anchors[n++] = *now;
	}
	clock->nr = n;
	find_unstable(clock);
	return 0;
}

void clock_free(struct clock *clock)
{
	free(clock->anchors);
	free(clock->stretch);
	skew_free(clock->skew);
	clock->skew = NULL;
	clock->anchors = NULL;
	clock->stretch = NULL;
}

enum anchor_time { ANCHOR_CLOCK, ANCHOR_MONO };

/* The last anchor at or before @value of that time; the first anchor if there is none. */
static u32 anchor_before(const struct clock *clock, enum anchor_time time, u64 value)
{
	u32 lo = 0, hi = clock->nr;

	while (hi - lo > 1) {
		u32 mid = lo + (hi - lo) / 2;
		const struct clock_anchor *anchor = &clock->anchors[mid];

		if ((time == ANCHOR_MONO ? anchor->mono_ns : anchor->clock) <= value)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Chooses the anchors @i and @j that give the slope at @at. False: use khz. */
static bool slope_of(const struct clock *clock, u32 at, u32 *i, u32 *j)
{
	if (at + 1 < clock->nr) {
		*i = at;
		*j = at + 1;
		return true;
	}
	/* Across a suspend the slope is another one. */
	for (*j = at, *i = at; *i > 0 && !clock->anchors[*i].resumes;) {
		--*i;
		if (clock->anchors[*j].mono_ns - clock->anchors[*i].mono_ns >= SLOPE_NS)
			return true;
	}
	return false;
}

static u64 clamp_ns(s128 ns)
{
	if (ns < 0)
		return 0;
	return ns > (s128)INT64_MAX ? INT64_MAX : (u64)ns;
}

static u64 interpolate(u64 from, u64 to, s128 ticks, s128 span)
{
	return clamp_ns((s128)from + ((s128)to - from) * ticks / span);
}

/*
 * Was the wall clock set, or did it get a leap second? No discipline corrects it by more than a tenth
 * of the time that passed. When in between that was is not known: until @b it counts as not set yet.
 */
static bool was_set_between(const struct clock_anchor *a, const struct clock_anchor *b)
{
	s128 passed = (s128)b->mono_ns - a->mono_ns, gone = (s128)b->real_ns - a->real_ns - passed;

	return (gone < 0 ? -gone : gone) > passed / 10 + 1000000;
}

/*
 * Was the clock of events set forward with the wall clock, as CLOCK_TAI is? Then it counts ns from @a
 * on, and before @b, and what it left out is in no event.
 */
static bool has_leapt_between(const struct clock *clock, const struct clock_anchor *a,
			      const struct clock_anchor *b)
{
	u64 passed = b->mono_ns - a->mono_ns, counted = b->clock - a->clock;

	return (clock->id == EPITAPH_CLOCK_TAI || clock->id == EPITAPH_CLOCK_BOOT) &&
	       counted > passed && counted - passed > passed / 10 + 1000000;
}

/* Of @from at @a and @to at @b. */
static u64 ns_in_leap(const struct clock_anchor *a, const struct clock_anchor *b, u64 value, u64 from, u64 to)
{
	u64 passed = value - a->clock;

	return passed <= b->mono_ns - a->mono_ns ? clamp_ns((s128)from + passed) :
	       clamp_ns((s128)to - (b->clock - value));
}

static u64 convert_clock(const struct clock *clock, u64 value, bool real)
{
	u32 at = anchor_before(clock, ANCHOR_CLOCK, value);
	const struct clock_anchor *a = &clock->anchors[at];
	s128 ticks = (s128)value - a->clock, span;
	u64 from = real ? a->real_ns : a->mono_ns;
	u32 i, j;

	if (value >= a->clock && at + 1 < clock->nr && has_leapt_between(clock, a, a + 1))
		return ns_in_leap(a, a + 1, value, from, real ? a[1].real_ns : a[1].mono_ns);
	/* The product with a time must fit. */
	if (ticks > (s128)TIME_MAX)
		ticks = TIME_MAX;
	else if (ticks < -(s128)TIME_MAX)
		ticks = -(s128)TIME_MAX;
	if (!slope_of(clock, at, &i, &j))
		return clamp_ns((s128)from + ticks * 1000000 / clock->khz);
	span = (s128)clock->anchors[j].clock - clock->anchors[i].clock;
	/* After the last anchor, and where the wall clock was set, it runs as the other. */
	if (real && at + 1 < clock->nr && !was_set_between(a, a + 1))
		return interpolate(from, clock->anchors[j].real_ns, ticks, span);
	return interpolate(from, from + (clock->anchors[j].mono_ns - clock->anchors[i].mono_ns),
			   ticks, span);
}

static void refill_stretch(const struct clock *clock, u64 value)
{
	struct clock_stretch *s = clock->stretch;
	u32 at = anchor_before(clock, ANCHOR_CLOCK, value), i, j;

	s->len = 0;
	if (value < clock->anchors[at].clock || !slope_of(clock, at, &i, &j) ||
	    (at + 1 < clock->nr && has_leapt_between(clock, &clock->anchors[at], &clock->anchors[at + 1])))
		return;
	s->from = clock->anchors[at].clock;
	s->len = (at + 1 < clock->nr ? clock->anchors[at + 1].clock : ~0ULL) - s->from;
	s->ns = clock->anchors[at].mono_ns;
	s->rise = clock->anchors[j].mono_ns - clock->anchors[i].mono_ns;
	s->span = clock->anchors[j].clock - clock->anchors[i].clock;
	s->inverse = ~0ULL / s->span;
}

/* @n / s->span. The product with the inverse is too small by two at most. */
static u64 divide_by_span(const struct clock_stretch *s, u64 n)
{
	u64 quotient = (unsigned __int128)n * s->inverse >> 64;
	u64 rest = n - quotient * s->span;

	for (; rest >= s->span; rest -= s->span)
		quotient++;
	return quotient;
}

u64 clock_mono(const struct clock *clock, u64 value)
{
	struct clock_stretch *s = clock->stretch;
	u64 product;

	if (!s)
		return convert_clock(clock, value, false);
	if (value - s->from >= s->len)
		refill_stretch(clock, value);
	/* The same result as convert_clock(), in 64 bits and without a division. */
	if (value - s->from < s->len &&
	    !__builtin_mul_overflow(value - s->from, s->rise, &product))
		return clamp_ns((s128)s->ns + divide_by_span(s, product));
	return convert_clock(clock, value, false);
}

u64 clock_real(const struct clock *clock, u64 value)
{
	return convert_clock(clock, value, true);
}

/* A value near that whose time is @ns, by the slope there. */
static u64 guess_value(const struct clock *clock, u64 ns)
{
	u32 at = anchor_before(clock, ANCHOR_MONO, ns), i, j;
	const struct clock_anchor *a = &clock->anchors[at];
	s128 apart = (s128)ns - a->mono_ns, value = a->clock;

	if (apart > (s128)TIME_MAX)
		return TIME_MAX;
	if (slope_of(clock, at, &i, &j))
		value += apart * (s128)(clock->anchors[j].clock - clock->anchors[i].clock) /
			 (s128)(clock->anchors[j].mono_ns - clock->anchors[i].mono_ns);
	else
		value += apart * clock->khz / 1000000;
	return value < 0 ? 0 : value > (s128)TIME_MAX ? TIME_MAX : (u64)value;
}

/* The guess is off by roundings only, so the steps from it stay few. */
u64 clock_of_mono(const struct clock *clock, u64 ns)
{
	u64 lo = guess_value(clock, ns), hi = lo;

	for (u64 step = 1; lo && clock_mono(clock, lo) >= ns; step *= 2) {
		hi = lo;
		lo = lo > step ? lo - step : 0;
	}
	for (u64 step = 1; hi < TIME_MAX && clock_mono(clock, hi) < ns; step *= 2) {
		lo = hi;
		hi = TIME_MAX - hi > step ? hi + step : TIME_MAX;
	}
	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (clock_mono(clock, mid) >= ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* All values before the start map to 0 of CLOCK_MONOTONIC; 1 ns maps to one value. */
u64 clock_real_of_mono(const struct clock *clock, u64 ns)
{
	u64 value = clock_of_mono(clock, ns ? ns : 1), real = clock_real(clock, value);

	return real ? real + ns - clock_mono(clock, value) : 0;
}

u32 clock_suspends(const struct clock *clock, u64 *ret_ns)
{
	const struct clock_anchor *a;
	u32 i, nr = 0;

	*ret_ns = 0;
	for (i = 1; i < clock->nr; i++) {
		a = &clock->anchors[i];
		if (!a->resumes)
			continue;
		nr++;
		if (a->boot_ns > a[-1].boot_ns)
			*ret_ns += clamp_ns((s128)a->boot_ns - a[-1].boot_ns -
					    (a->mono_ns - a[-1].mono_ns));
	}
	return nr;
}

u64 clock_units_ns(const struct clock *clock, u64 units)
{
	if (units && units > ~0ULL >> clock->shift)
		return ~0ULL;
	return clock_ticks_ns(clock, units << clock->shift);
}

u64 clock_skew_bound(const struct clock *clock, u32 cpu, u64 value)
{
	return clock->skew ? clock_ticks_ns(clock, skew_bound(clock->skew, cpu, value)) : 0;
}

u64 clock_skew_now(const struct clock *clock)
{
	return clock_ticks_ns(clock, 2 * skew_bound_now(clock->skew));
}

u64 clock_time_on_cpu(const struct clock *clock, u32 cpu, u64 time)
{
	u64 last = (time << clock->shift) + (1ULL << clock->shift) - 1;

	return skew_on_cpu(clock->skew, cpu, last) >> clock->shift;
}

static u64 doubt_ns(const struct clock *clock)
{
	if (clock->id == EPITAPH_CLOCK_LOCAL || clock->is_unstable)
		return CLOCK_LOCAL_DOUBT_NS;
	if (clock->id == EPITAPH_CLOCK_MONO || clock->id == EPITAPH_CLOCK_BOOT || clock->id == EPITAPH_CLOCK_TAI)
		return KERNEL_DOUBT_NS;
	return 0;
}

u64 clock_doubt(const struct clock *clock)
{
	unsigned __int128 ticks = (unsigned __int128)doubt_ns(clock) * clock->khz / 1000000;

	return 1 + (u64)(ticks >> clock->shift);
}
