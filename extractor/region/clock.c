// SPDX-License-Identifier: GPL-2.0-or-later
#include "clock.h"

#include <endian.h>
#include <stdlib.h>

/* A slope is taken over at least this, so that width does not spoil it. */
#define SLOPE_NS	100000000ULL

/* Later than this is no time that a machine had: a century and a half. */
#define TIME_MAX	(1ULL << 62)

typedef __int128 s128;

/*
 * Values from @from on, @len of them, are @ns and on; @rise ns in @span values, of which
 * @inverse is 2^64 divided by it, rounded down.
 * Most of what is asked for is near what was asked for before.
 */
struct clock_stretch {
	u64 from;
	u64 len;
	u64 ns;
	u64 rise;
	u64 span;
	u64 inverse;
};

static int by_clock(const void *a, const void *b)
{
	const struct clock_anchor *x = a, *y = b;

	return x->clock < y->clock ? -1 : x->clock > y->clock;
}

static u64 ticks_to_ns(const struct clock *clock, u64 ticks)
{
	unsigned __int128 ns = (unsigned __int128)ticks * 1000000;

	ns = (ns + clock->khz - 1) / clock->khz;
	return ns >> 64 ? ~0ULL : (u64)ns;
}

static u64 at_most(u64 n, u64 max)
{
	return n < max ? n : max;
}

static void add_header(struct clock *clock, const struct generation *generation)
{
	clock->anchors[0] = (struct clock_anchor){
		.clock = generation->hdr.start_clock,
		.mono_ns = at_most(generation->hdr.start_mono_ns, TIME_MAX),
		.real_ns = at_most(generation->hdr.start_real_ns, TIME_MAX),
	};
	clock->nr = 1;
	clock->from_header = true;
}

static bool is_absurd(const struct epitaph_anchor *raw)
{
	return le64toh(raw->mono_ns) > TIME_MAX || le64toh(raw->real_ns) > TIME_MAX ||
	       le64toh(raw->width) > TIME_MAX;
}

static void add_anchor(struct clock *clock, const struct epitaph_anchor *raw)
{
	struct clock_anchor *a = &clock->anchors[clock->nr++];
	u64 bound;

	a->clock = le64toh(raw->clock);
	a->mono_ns = le64toh(raw->mono_ns);
	a->real_ns = le64toh(raw->real_ns);
	a->width = le64toh(raw->width);
	bound = ticks_to_ns(clock, a->width / 2 + a->width % 2);
	if (bound > clock->bound_ns)
		clock->bound_ns = bound;
}

/* Two at one instant, or one that goes back, lead nowhere. */
static void drop_useless(struct clock *clock)
{
	u32 i, n = 1;

	for (i = 1; i < clock->nr; i++)
		if (clock->anchors[i].clock > clock->anchors[n - 1].clock &&
		    clock->anchors[i].mono_ns > clock->anchors[n - 1].mono_ns)
			clock->anchors[n++] = clock->anchors[i];
	clock->nr = n;
}

static void read_anchors(struct clock *clock, struct generation *generation)
{
	const struct section *sec = generation_section(generation, EPITAPH_SEC_CLOCK);
	u64 n = section_entries(sec, sizeof(struct epitaph_anchor));
	u64 i;

	for (i = 0; i < n && i < CLOCK_MAX_ANCHORS; i++) {
		struct epitaph_anchor raw;
		int good = section_entry(generation, sec, i, &raw, sizeof(raw));

		if (good == -2)
			break;
		if (good == 1 && !is_absurd(&raw))
			add_anchor(clock, &raw);
		else if (good)
			damage_notes_add(&generation->notes, sec->off + i * sec->unit,
					 "clock anchor %llu is damaged", i);
	}
}

int clock_read(struct clock *clock, struct generation *generation, struct err *err)
{
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
	read_anchors(clock, generation);
	if (!clock->nr) {
		add_header(clock, generation);
		damage_notes_add(&generation->notes, NOTE_NOWHERE,
				 "no clock anchor is good: times follow from the header alone");
	}
	qsort(clock->anchors, clock->nr, sizeof(*clock->anchors), by_clock);
	drop_useless(clock);
	return 0;
}

void clock_free(struct clock *clock)
{
	free(clock->anchors);
	free(clock->stretch);
	clock->anchors = NULL;
	clock->stretch = NULL;
}

/* The last anchor at or before @value, or the first. */
static u32 anchor_before(const struct clock *clock, u64 value)
{
	u32 lo = 0, hi = clock->nr;

	while (hi - lo > 1) {
		u32 mid = lo + (hi - lo) / 2;

		if (clock->anchors[mid].clock <= value)
			lo = mid;
		else
			hi = mid;
	}
	return lo;
}

/* Between which anchors the clocks run as they do at @at; false: only khz tells. */
static bool slope_of(const struct clock *clock, u32 at, u32 *i, u32 *j)
{
	if (at + 1 < clock->nr) {
		*i = at;
		*j = at + 1;
		return true;
	}
	for (*j = at, *i = at; *i > 0;) {
		--*i;
		if (clock->anchors[*j].mono_ns - clock->anchors[*i].mono_ns >= SLOPE_NS)
			return true;
	}
	return false;
}

/* So that a product with a time fits. */
static s128 limit(s128 ticks)
{
	if (ticks > (s128)TIME_MAX)
		return TIME_MAX;
	return ticks < -(s128)TIME_MAX ? -(s128)TIME_MAX : ticks;
}

static u64 clamp(s128 ns)
{
	if (ns < 0)
		return 0;
	return ns > (s128)INT64_MAX ? INT64_MAX : (u64)ns;
}

static u64 along(u64 from, u64 to, s128 ticks, s128 span)
{
	return clamp((s128)from + ((s128)to - from) * ticks / span);
}

static u64 by_khz(const struct clock *clock, u64 from, s128 ticks)
{
	return clamp((s128)from + ticks * 1000000 / clock->khz);
}

static u64 convert(const struct clock *clock, u64 value, bool real)
{
	u32 at = anchor_before(clock, value);
	const struct clock_anchor *a = &clock->anchors[at];
	s128 ticks = limit((s128)value - a->clock);
	u64 from = real ? a->real_ns : a->mono_ns;
	u32 i, j;

	if (!slope_of(clock, at, &i, &j))
		return by_khz(clock, from, ticks);
	/* The wall clock may have been set in between; after that it runs as the other. */
	if (real && at + 1 < clock->nr)
		return along(from, clock->anchors[j].real_ns, ticks,
			     (s128)clock->anchors[j].clock - clock->anchors[i].clock);
	return along(from, from + (clock->anchors[j].mono_ns - clock->anchors[i].mono_ns),
		     ticks, (s128)clock->anchors[j].clock - clock->anchors[i].clock);
}

static void find_stretch(const struct clock *clock, u64 value)
{
	struct clock_stretch *s = clock->stretch;
	u32 at = anchor_before(clock, value), i, j;

	s->len = 0;
	if (value < clock->anchors[at].clock || !slope_of(clock, at, &i, &j))
		return;
	s->from = clock->anchors[at].clock;
	s->len = (at + 1 < clock->nr ? clock->anchors[at + 1].clock : ~0ULL) - s->from;
	s->ns = clock->anchors[at].mono_ns;
	s->rise = clock->anchors[j].mono_ns - clock->anchors[i].mono_ns;
	s->span = clock->anchors[j].clock - clock->anchors[i].clock;
	s->inverse = ~0ULL / s->span;
}

/* @n / s->span: the product with the inverse is less by no more than two. */
static u64 divide(const struct clock_stretch *s, u64 n)
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
		return convert(clock, value, false);
	if (value - s->from >= s->len)
		find_stretch(clock, value);
	/* As convert(), in 64 bits and without a division. */
	if (value - s->from < s->len &&
	    !__builtin_mul_overflow(value - s->from, s->rise, &product))
		return clamp((s128)s->ns + divide(s, product));
	return convert(clock, value, false);
}

u64 clock_real(const struct clock *clock, u64 value)
{
	return convert(clock, value, true);
}

u64 clock_of_mono(const struct clock *clock, u64 ns)
{
	u64 lo = 0, hi = TIME_MAX;

	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (clock_mono(clock, mid) >= ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

/* Many values may be 0 of CLOCK_MONOTONIC: all that the counter had before.  1 has one. */
u64 clock_real_of_mono(const struct clock *clock, u64 ns)
{
	u64 value = clock_of_mono(clock, ns ? ns : 1), real = clock_real(clock, value);

	return real ? real + ns - clock_mono(clock, value) : 0;
}

u64 clock_units_ns(const struct clock *clock, u64 units)
{
	if (units && units > ~0ULL >> clock->shift)
		return ~0ULL;
	return ticks_to_ns(clock, units << clock->shift);
}

static u64 ns_to_units(const struct clock *clock, u64 ns)
{
	unsigned __int128 ticks = (unsigned __int128)ns * clock->khz / 1000000;

	return (u64)(ticks >> clock->shift);
}

u64 clock_doubt(const struct clock *clock)
{
	if (clock->id != EPITAPH_CLOCK_LOCAL)
		return 1;
	return 1 + ns_to_units(clock, CLOCK_LOCAL_DOUBT_NS);
}
