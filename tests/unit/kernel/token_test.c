// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The token that measures how far two clocks differ, passed between two threads whose clocks differ by
 * what the test says.
 *
 * build: kernel/sources/token.c -pthread
 */
#include <pthread.h>
#include <sched.h>
#include <time.h>

#include <epitaph/token.h>

#include "tap.h"

static _Thread_local s64 ahead;		/* by which this thread's clock is */

u64 epitaph_clock(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec + (u64)ahead;
}

static struct epitaph_token token;
static s64 truth;

static void *take_side_1(void *unused)
{
	ahead = truth;
	epitaph_token_run(&token, 7, 1, 200000000);
	return unused;
}

static bool run_with(s64 offset, struct epitaph_token_offset *found)
{
	pthread_t other;

	truth = offset;
	epitaph_token_lay(&token, 7);
	if (pthread_create(&other, NULL, take_side_1, NULL))
		return false;
	epitaph_token_run(&token, 7, 0, 200000000);
	pthread_join(other, NULL);
	return epitaph_token_offset(&token, 7, found);
}

static void token__the_truth_is_within_the_limits(void)
{
	static const s64 offsets[] = { 0, 1, -1, 1000000, -1000000, 1LL << 40, -(1LL << 40) };
	struct epitaph_token_offset found;
	u32 i, good, tries;

	for (i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
		/* A host may run one thread alone for longer than the limit. */
		for (tries = 0, good = 0; tries < 50 && !good; tries++)
			good = run_with(offsets[i], &found);
		CHECK(good, "no run of 50 came to an end");
		CHECK(found.least <= offsets[i] && offsets[i] <= found.most, "%lld is not from %lld to %lld",
		      (long long)offsets[i], (long long)found.least, (long long)found.most);
		printf("# %lld: %lld ns wide\n", (long long)offsets[i], (long long)(found.most - found.least));
	}
}

/* @times of a run that ended after so many passes. */
static bool offset_of(const u64 *times, u32 nr, struct epitaph_token_offset *found)
{
	epitaph_token_lay(&token, 3);
	memcpy(token.times, times, nr * sizeof(*times));
	token.turn += nr;
	return epitaph_token_offset(&token, 3, found);
}

static void token__the_narrowest_limits_count(void)
{
	/* Side 1 is 1000 ahead; the third pass took 5, the fourth 3. */
	static const u64 times[] = { 100, 1150, 200, 1205, 208, 1300 };
	struct epitaph_token_offset found;

	CHECK(offset_of(times, 6, &found), "refused");
	CHECK(found.least == 997 && found.most == 1005, "%lld to %lld", (long long)found.least, (long long)found.most);
}

static void token__too_few_passes_say_nothing(void)
{
	static const u64 times[] = { 100, 1150, 200 };
	struct epitaph_token_offset found;

	CHECK(!offset_of(times, 0, &found) && !offset_of(times, 1, &found) && !offset_of(times, 2, &found),
	      "less than a round trip was believed");
	CHECK(offset_of(times, 3, &found), "a round trip was not");
}

static void token__a_clock_that_goes_back_says_nothing(void)
{
	static const u64 times[] = { 100, 1150, 200, 1100, 120, 1500 };
	struct epitaph_token_offset found;

	CHECK(!offset_of(times, 6, &found), "%lld to %lld", (long long)found.least, (long long)found.most);
}

static void token__another_run_is_not_joined(void)
{
	struct epitaph_token_offset found;

	epitaph_token_lay(&token, 8);
	epitaph_token_run(&token, 7, 1, 1000000);
	epitaph_token_run(&token, 9, 0, 1000000);
	epitaph_token_run(&token, 8, 1, 1000000);
	CHECK(!epitaph_token_offset(&token, 8, &found), "somebody else passed it");
	CHECK(!epitaph_token_offset(&token, 7, &found) && !epitaph_token_offset(&token, 9, &found),
	      "a run that was not laid has an end");
}

static void token__two_runs_are_narrower_than_one(void)
{
	struct epitaph_token_offset a = { -10, 20 }, b = { 5, 30 }, far = { 21, 40 };

	CHECK(epitaph_token_narrow(&a, &b) && a.least == 5 && a.most == 20, "%lld to %lld", (long long)a.least,
	      (long long)a.most);
	CHECK(!epitaph_token_narrow(&a, &far) && a.least == 5 && a.most == 20, "contradiction believed");
}

int main(void)
{
	TAP_RUN(token__the_truth_is_within_the_limits);
	TAP_RUN(token__the_narrowest_limits_count);
	TAP_RUN(token__too_few_passes_say_nothing);
	TAP_RUN(token__a_clock_that_goes_back_says_nothing);
	TAP_RUN(token__another_run_is_not_joined);
	TAP_RUN(token__two_runs_are_narrower_than_one);
	return tap_done();
}
