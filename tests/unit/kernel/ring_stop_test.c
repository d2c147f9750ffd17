// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A ring that stops when it is full: what is in it is the beginning of what was
 * written, whole, for every nesting of interrupts and every stop of the CPU; all of the
 * rest is counted.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c -DEPITAPH_CRASH_POINTS
 */
#include <stdio.h>
#include <stdlib.h>

#include <epitaph/ring_fast.h>

#include "ring_reader.h"
#include "tap.h"

#define SUB	512
#define NR_SUBS	EPITAPH_MIN_SUBS
#define U64	(EPITAPH_ID_FIRST + 2)
#define TEXT	700

static const u16 words_of[512] = { [U64] = 2 };
static struct epitaph_counters counters;
static struct epitaph_ring ring;
static struct reader_sub subs[NR_SUBS];
static u64 clock_now;

/*
 * @number: of the next event; its payload
 * @dropped: events that were refused
 * @after: the first that was begun when one had been
 * @depth: writers under way
 * @left: until one interrupts
 * @rng: xorshift; 0: no interrupts
 */
static struct {
	u64 number;
	u64 dropped;
	u64 after;
	u32 depth;
	u32 left;
	u32 rng;
	u64 points;
	bool stop_a, stop_b;
} run;

u64 epitaph_clock(void)
{
	return ++clock_now;
}

static u32 pick(u32 below)
{
	run.rng ^= run.rng << 13;
	run.rng ^= run.rng >> 17;
	run.rng ^= run.rng << 5;
	return run.rng % below;
}

static void write_one(void);

/* As an old lap would leave it: a ring that stops never has one. */
static void look(void)
{
	u64 seen = 0;
	u32 i, k, torn = 0;

	run.points++;
	for (i = 0; i < NR_SUBS; i++) {
		reader_sub(&subs[i], ring.data + i * SUB, SUB, i * SUB, ring.salt, words_of);
		CHECK(subs[i].verdict != READER_DAMAGED, "%u: %s", i, subs[i].why);
		torn += subs[i].nr_torn + subs[i].nr_gaps;
		for (k = 0; k < subs[i].nr_events; k++) {
			u64 number;

			memcpy(&number, subs[i].events[k].payload, 8);
			seen++;
			CHECK(!run.dropped || number < run.after,
			      "%llu was begun after one was dropped", (unsigned long long)number);
		}
	}
	CHECK(torn <= EPITAPH_LEVELS, "%u torn", torn);
	CHECK(seen + run.dropped + run.depth >= run.number, "%llu of %llu, %llu dropped",
	      (unsigned long long)seen, (unsigned long long)run.number,
	      (unsigned long long)run.dropped);
}

void crash_point(const char *label)
{
	if (!run.rng)
		return;
	run.stop_a |= !strcmp(label, "stop:A");
	run.stop_b |= !strcmp(label, "stop:B");
	if (ring.full || !pick(64))
		look();
	if (strcmp(label, "commit:D") && run.depth < EPITAPH_LEVELS && !pick(20))
		write_one();
}

static void write_one(void)
{
	bool is_text = run.rng && !pick(5);
	struct epitaph_rec rec;
	u64 number = run.number++;
	void *to;

	run.depth++;
	to = epitaph_ring_reserve(&ring, &rec, is_text ? TEXT : U64, is_text ? 60 : 8, is_text);
	if (to) {
		memcpy(to, &number, 8);
		epitaph_ring_commit(&rec);
	} else if (!run.dropped++) {
		run.after = run.number;
	}
	run.depth--;
}

static void begin(u32 rng)
{
	memset(&run, 0, sizeof(run));
	ring = (struct epitaph_ring){
		.data = ring.data ?: aligned_alloc(SUB, NR_SUBS * SUB), .sub_size = SUB,
		.size = NR_SUBS * SUB, .salt = 7, .counters = &counters, .stops = true,
	};
	CHECK(!epitaph_ring_init(&ring), "refused");
	run.rng = rng;
}

static void stop__keeps_the_first_and_counts_the_rest(void)
{
	u64 seen, kept;
	u32 i, k, n = 0;

	begin(0);
	for (i = 0; i < 3000; i++)
		write_one();
	kept = run.after - 1;
	CHECK(run.dropped == 3000 - kept, "%llu", (unsigned long long)run.dropped);
	CHECK(counters.full == run.dropped && counters.full_not == ~counters.full, "%llu",
	      (unsigned long long)counters.full);
	for (i = 0; i < NR_SUBS; i++) {
		reader_sub(&subs[i], ring.data + i * SUB, SUB, i * SUB, ring.salt, words_of);
		CHECK(subs[i].verdict == READER_GOOD && subs[i].closed, "%u", i);
		for (k = 0; k < subs[i].nr_events; k++, n++) {
			memcpy(&seen, subs[i].events[k].payload, 8);
			CHECK(seen == n, "%llu at %u", (unsigned long long)seen, n);
		}
	}
	CHECK(n == kept && kept > NR_SUBS * (SUB - 120) / 12, "%u", n);
}

static void stop__takes_no_smaller_event_after_one_that_did_not_fit(void)
{
	struct epitaph_rec rec;
	u32 i;

	begin(0);
	while (!counters.full) {
		void *to = epitaph_ring_reserve(&ring, &rec, TEXT, 390, true);

		if (to)
			epitaph_ring_commit(&rec);
	}
	for (i = 0; i < 10; i++) {
		struct epitaph_fast fast;

		CHECK(!epitaph_fast_claim(&ring, &fast, 3), "taken");
		CHECK(!epitaph_ring_claim(&ring, U64, 2, false).w, "taken");
	}
	CHECK(counters.full == 11 && !ring.nest, "%llu", (unsigned long long)counters.full);
}

static void stop__is_whole_at_every_label_with_interrupts(void)
{
	bool stop_a = false, stop_b = false;
	u64 points = 0;
	u32 seed, i;

	for (seed = 1; seed <= 60; seed++) {
		begin(seed * 2654435761U);
		for (i = 0; i < 400 && run.dropped < 30; i++)
			write_one();
		CHECK(run.dropped >= 30, "seed %u: never full", seed);
		CHECK(le64_to_cpu(counters.full) <= run.dropped, "more than there were");
		stop_a |= run.stop_a;
		stop_b |= run.stop_b;
		points += run.points;
	}
	CHECK(stop_a && stop_b, "a label was never met");
	printf("# %llu crash points\n", (unsigned long long)points);
}

int main(void)
{
	TAP_RUN(stop__keeps_the_first_and_counts_the_rest);
	TAP_RUN(stop__takes_no_smaller_event_after_one_that_did_not_fit);
	TAP_RUN(stop__is_whole_at_every_label_with_interrupts);
	free(ring.data);
	return tap_done();
}
