// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * From a time back to the clock: the first value that is not before it, however the anchors lie, and after few
 * conversions.  The other way is what is true here; region/clock.c counts no calls, so the test measures the CPU time.
 *
 * build: @extractor
 */
#include <time.h>

#include "region/clock.h"
#include "tap.h"

#define SECOND	1000000000ULL
#define LATEST	(1ULL << 62)

static u64 random_below(u64 below)
{
	static u64 state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state % below;
}

static struct clock make_clock(u32 nr, u64 clock_step, u64 mono_step)
{
	struct clock clock = { .khz = 1 + random_below(5000000), .id = EPITAPH_CLOCK_TSC, .nr = nr };
	u64 value = random_below(1ULL << random_below(56)), mono = random_below(1ULL << random_below(56));

	clock.anchors = calloc(nr, sizeof(*clock.anchors));
	for (u32 i = 0; i < nr; i++) {
		clock.anchors[i] = (struct clock_anchor){ .clock = value, .mono_ns = mono, .resumes = !random_below(8) };
		value += 1 + random_below(clock_step);
		mono += 1 + random_below(mono_step);
	}
	return clock;
}

static u64 bisect(const struct clock *clock, u64 ns)
{
	u64 lo = 0, hi = LATEST;

	while (lo < hi) {
		u64 mid = lo + (hi - lo) / 2;

		if (clock_mono(clock, mid) >= ns)
			hi = mid;
		else
			lo = mid + 1;
	}
	return lo;
}

static void clock__a_time_has_the_first_value_that_is_not_before_it(void)
{
	for (u32 i = 0; i < 3000; i++) {
		struct clock clock = make_clock(1 + random_below(20), 1ULL << random_below(50), 1ULL << random_below(50));
		const struct clock_anchor *last = &clock.anchors[clock.nr - 1];

		for (u32 k = 0; k < 20; k++) {
			u64 ns = random_below(3) ? random_below(last->mono_ns * 2 + 2) : random_below(1ULL << 63);
			u64 have = clock_of_mono(&clock, ns), want = bisect(&clock, ns);

			if (!CHECK(have == want, "%llu: %llu, not %llu", ns, have, want))
				return;
		}
		clock_free(&clock);
	}
}

/* An hour of a clock that NTP pulls both ways. */
static void clock__a_time_takes_few_conversions(void)
{
	struct clock clock = make_clock(3600, 1, 1);
	struct timespec begin, end;
	u64 sum = 0;
	double there, back;

	clock.khz = 2000000;
	for (u32 i = 0; i < clock.nr; i++)
		clock.anchors[i] = (struct clock_anchor){ .clock = i * 2 * SECOND, .mono_ns = 7 * SECOND + i * (SECOND + (i % 2) * 100) };
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begin);
	for (u32 i = 0; i < 200000; i++)
		sum += clock_mono(&clock, random_below(7200 * SECOND));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	there = (end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec;
	begin = end;
	for (u32 i = 0; i < 200000; i++)
		sum += clock_of_mono(&clock, random_below(3600 * SECOND));
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &end);
	back = (end.tv_sec - begin.tv_sec) * 1e9 + end.tv_nsec - begin.tv_nsec;
	printf("# %.0f ns there, %.0f ns back (%llu)\n", there / 200000, back / 200000, sum % 10);
	CHECK(back < there * 15, "it takes %.0f times as long", back / there);
	clock_free(&clock);
}

int main(void)
{
	TAP_RUN(clock__a_time_has_the_first_value_that_is_not_before_it);
	TAP_RUN(clock__a_time_takes_few_conversions);
	return tap_done();
}
