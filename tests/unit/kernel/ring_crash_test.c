// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Stops a CPU at every label of ring.c, at up to five levels of nesting, and
 * reads the memory that is left.
 *
 * build: kernel/core/ring.c tests/lib/ring_reader.c tests/lib/ring_oracle.c tests/lib/ring_rig.c tests/lib/ring_second.c extractor/region/subbuf.c -DEPITAPH_CRASH_POINTS
 */
#include <stdio.h>
#include <stdlib.h>

#include "ring_rig.h"
#include "tap.h"

#define SUB	512

/* The sanitizers see one path as well as thirty; the plain build goes them all. */
#ifdef __SANITIZE_ADDRESS__
#define FEWER	13
#else
#define FEWER	1
#endif
#define U64	(EPITAPH_ID_FIRST + 2)
#define LATE	((1 << EPITAPH_TIME_BITS) + 5)

static const struct rig_kind u64_event = { "u64", U64, 8, false, 0 };
static const struct rig_kind text_event = { "text", 500, 5, true, 0 };
static const struct rig_kind late_event = { "late", U64, 8, false, LATE };
static const struct rig_kind far_event = { "far id", 600, 16, false, 0 };

static void begin(u32 sub_size, u32 nr_subs)
{
	struct oracle *o = oracle_new(sub_size, nr_subs, 0, NULL);

	rig_calm();
	rig.oracle = o;
}

static void end(void)
{
	CHECK(!rig.oracle->failures, "%llu complaints",
	      (unsigned long long)rig.oracle->failures);
	oracle_free(rig.oracle);
	rig.oracle = NULL;
}

/* Every ring starts full: stale content of earlier laps everywhere. */
static void begin_full(u32 sub_size, u32 nr_subs)
{
	u32 laps = 2;

	begin(sub_size, nr_subs);
	rig.every = 0;
	while (rig.oracle->switches < laps * nr_subs)
		rig_write(&u64_event, 1);
	rig.every = 1;
	memset(rig.passed, 0, sizeof(rig.passed));
}

/*
 * Puts a write of @kinds[1] at each label of a write of @kinds[0], and so on
 * down to @levels.  The innermost runs to its end: each of its labels is
 * compared, and each label of all the others afterwards.
 */
static void interrupt_everywhere(const struct oracle *start,
				 const struct rig_kind *const *kinds,
				 u32 levels, u32 burst)
{
	u32 level, passed;

	for (level = 0; level + 1 < levels; level++)
		rig.plan[level] = (struct rig_shot){
			0, level + 2 == levels ? burst : 1, kinds[level + 1]
		};
	for (;;) {
		oracle_copy(rig.oracle, start);
		memset(rig.passed, 0, sizeof(rig.passed));
		rig_write(kinds[0], 1);
		rig_write(&u64_event, 1);
		if (rig.oracle->failures)
			return;
		/* The next combination, like an odometer; the innermost first. */
		for (level = levels - 1; level-- > 0; ) {
			passed = rig.passed[level];
			if (++rig.plan[level].at < passed)
				break;
			rig.plan[level].at = 0;
			if (!level)
				return;
		}
	}
}

static struct oracle *snapshot(void)
{
	struct oracle *o = rig.oracle;
	struct oracle *copy = oracle_new(o->ring.sub_size, o->nr_subs,
					 o->ring.shift, NULL);

	oracle_copy(copy, o);
	return copy;
}

/* Three levels at every distance from the end of the sub-buffer. */
static void three_levels(const struct rig_kind *outer,
			 const struct rig_kind *middle,
			 const struct rig_kind *inner)
{
	const struct rig_kind *const kinds[] = { outer, middle, inner };
	u32 slack;

	for (slack = 0; slack < 12; slack++) {
		struct oracle *start;

		begin_full(SUB, EPITAPH_MIN_SUBS);
		rig_fill(0, slack);
		start = snapshot();
		interrupt_everywhere(start, kinds, 3, 1);
		oracle_free(start);
		end();
	}
}

static void ring__three_levels_crash_whole_at_every_label(void)
{
	three_levels(&u64_event, &u64_event, &u64_event);
}

static void ring__long_events_crash_whole_at_every_label(void)
{
	three_levels(&text_event, &u64_event, &far_event);
	three_levels(&far_event, &text_event, &u64_event);
}

static void ring__late_events_crash_whole_at_every_label(void)
{
	three_levels(&late_event, &u64_event, &u64_event);
	three_levels(&u64_event, &late_event, &u64_event);
	three_levels(&late_event, &late_event, &u64_event);
}

static void ring__a_burst_longer_than_the_ring_goes_around_its_victim(void)
{
	const struct rig_kind *const kinds[] = { &u64_event, &far_event };
	u32 slack;

	for (slack = 0; slack < 5; slack++) {
		struct oracle *start;

		begin_full(SUB, EPITAPH_MIN_SUBS);
		rig_fill(0, slack);
		start = snapshot();
		rig.every = 7;
		interrupt_everywhere(start, kinds, 2, 20 * EPITAPH_MIN_SUBS);
		oracle_free(start);
		end();
	}
}

static void ring__a_burst_over_two_writers_goes_around_both(void)
{
	const struct rig_kind *const kinds[] = { &u64_event, &u64_event, &far_event };
	u32 slack;

	for (slack = 1; slack < 5; slack += 3) {
		struct oracle *start;

		begin_full(SUB, EPITAPH_MIN_SUBS);
		rig_fill(0, slack);
		start = snapshot();
		rig.every = 61;
		interrupt_everywhere(start, kinds, 3, 20 * EPITAPH_MIN_SUBS);
		oracle_free(start);
		end();
	}
}

/* All five, each stopped at a random label of the one underneath. */
static void ring__five_levels_crash_whole(void)
{
	u32 round, level;

	begin_full(SUB, EPITAPH_MIN_SUBS);
	for (round = 0; round < 20000 / FEWER; round++) {
		for (level = 0; level + 1 < EPITAPH_LEVELS; level++)
			rig.plan[level] = (struct rig_shot){
				rig_random(22), 1 + !rig_random(8) * rig_random(40),
				level & 1 ? &u64_event : &text_event,
			};
		memset(rig.passed, 0, sizeof(rig.passed));
		if (rig.oracle->nr_events > ORACLE_MAX_EVENTS / 2) {
			end();
			begin_full(SUB, EPITAPH_MIN_SUBS);
		}
		rig_write(rig_random(9) ? &u64_event : &late_event, 1);
	}
	end();
}

static void ring__times_come_back_over_any_gap(void)
{
	static const u64 gaps[] = {
		0, 1, (1 << 9) - 1, 1 << 9, (1 << 19) + 77,
		(1 << 20) - (1 << 9) - 9, (1 << 20) - (1 << 9) - 2,
		(1 << 20) - (1 << 9), (1 << 20) - 3, 1 << 20, (1 << 20) + 1,
		1 << 21, (5ULL << 20) + 1000, (1ULL << 32) + 3, 1ULL << 44,
	};
	const u32 nr = sizeof(gaps) / sizeof(*gaps);
	struct oracle *blank, *start;
	u32 i;

	begin(SUB, EPITAPH_MIN_SUBS);
	blank = snapshot();
	start = snapshot();
	for (i = 0; i < nr * nr * nr; i += FEWER) {
		struct rig_kind outer = u64_event, inner = u64_event, next = u64_event;
		const struct rig_kind *const kinds[] = { &outer, &inner, &next };

		outer.gap = gaps[i % nr];
		inner.gap = gaps[i / nr % nr];
		next.gap = gaps[i / nr / nr];
		rig_calm();
		oracle_copy(rig.oracle, blank);
		rig_write(&u64_event, 1 + i % 3);
		oracle_copy(start, rig.oracle);
		interrupt_everywhere(start, kinds, 2, 2);
		if (i % 7 == 0)
			interrupt_everywhere(start, kinds, 3, 1);
	}
	oracle_free(start);
	oracle_free(blank);
	end();
}

static void stale_rings(u8 *data, u32 size)
{
	struct oracle *other = rig.oracle;

	memcpy(data, other->ring.data, size);
}

static void ring__an_older_generation_is_not_met(void)
{
	struct oracle *older;
	u32 i;

	begin_full(SUB, EPITAPH_MIN_SUBS);
	older = rig.oracle;
	rig.oracle = oracle_new(SUB, EPITAPH_MIN_SUBS, 0, NULL);
	oracle_free(rig.oracle);
	rig.oracle = older;
	older->ring.salt++;
	rig.oracle = oracle_new(SUB, EPITAPH_MIN_SUBS, 0, stale_rings);
	oracle_free(older);
	for (i = 0; i < 1000; i++)
		rig_write(i % 3 ? &u64_event : &text_event, 1);
	end();
}

static void ring__a_sixth_writer_is_counted_as_lost(void)
{
	u64 dropped = rig.dropped;
	u32 level;

	begin_full(SUB, EPITAPH_MIN_SUBS);
	for (level = 0; level < EPITAPH_LEVELS; level++)
		rig.plan[level] = (struct rig_shot){ 4, 1, &u64_event };
	rig_write(&u64_event, 1);
	CHECK(rig.dropped == dropped + 1, "%llu", (unsigned long long)rig.dropped);
	CHECK(rig.oracle->ring.counters->too_deep == 1, "too_deep %llu",
	      (unsigned long long)rig.oracle->ring.counters->too_deep);
	end();
}

static bool pair_holds(const __le64 *counter)
{
	return counter[0] == ~counter[1];
}

/* Each writer that is refused is interrupted by one that is. */
static void ring__counters_stay_whole_when_losses_nest(void)
{
	static const struct rig_kind large = { "too large", 602, 1 << 20, true, 0 };
	struct epitaph_counters *c;
	u32 at[3];

	begin_full(SUB, EPITAPH_MIN_SUBS);
	c = rig.oracle->ring.counters;
	for (at[0] = 0; at[0] < 8; at[0]++) {
		for (at[1] = 0; at[1] < 8; at[1]++) {
			rig.plan[0] = (struct rig_shot){ at[0], 1, &large };
			rig.plan[1] = (struct rig_shot){ at[1], 2, &large };
			memset(rig.passed, 0, sizeof(rig.passed));
			rig_write(&large, 1);
			CHECK(pair_holds(&c->too_large), "%llx %llx",
			      (unsigned long long)c->too_large,
			      (unsigned long long)c->too_large_not);
		}
	}
	CHECK(c->too_large > 64, "%llu", (unsigned long long)c->too_large);
	CHECK(!rig.oracle->depth && !rig.oracle->ring.nest, "nest %lu",
	      rig.oracle->ring.nest);
	end();
}

static void ring__no_length_is_taken_for_a_shorter_one(void)
{
	struct epitaph_rec rec;
	u32 bytes, i;

	begin_full(SUB, EPITAPH_MIN_SUBS);
	for (i = 0; i < 64; i++) {
		bytes = i < 16 ? SUB - 96 - 4 + i : ~0U - (i & 15);
		if (i >= 32)
			bytes = 0x40000000U * (1 + i / 16 % 2) - (i & 15);
		CHECK(!epitaph_ring_reserve(&rig.oracle->ring, &rec, 600, bytes,
					    true), "%#x bytes", bytes);
		if (bytes > SUB)
			CHECK(!epitaph_ring_reserve(&rig.oracle->ring, &rec, U64,
						    bytes, false),
			      "%#x bytes, short", bytes);
	}
	oracle_compare(rig.oracle);
	end();
}

struct geometry {
	u32 sub_size;
	u32 nr_subs;
	u32 shift;
	u32 writes;
	u32 every;		/* label is compared; it costs a walk of the sub-buffer */
};

static void begin_shape(const struct geometry *g)
{
	begin(g->sub_size, g->nr_subs);
	rig.oracle->ring.shift = g->shift;
	rig.random = 24;
	rig.every = g->every;
}

/* Trees of interrupts as they fall; the seed is printed. */
static void random_trees(const struct geometry *g, u64 seed)
{
	static const struct rig_kind *const kinds[] = {
		&u64_event, &u64_event, &text_event, &far_event, &late_event,
	};
	u32 i;

	rig.rng = seed;
	begin_shape(g);
	for (i = 0; i < g->writes / FEWER; i++) {
		if (rig.oracle->nr_events > ORACLE_MAX_EVENTS / 2) {
			end();
			begin_shape(g);
		}
		rig_write(kinds[rig_random(5)], 1);
	}
	CHECK(pair_holds(&rig.oracle->ring.counters->too_large), "too_large");
	CHECK(pair_holds(&rig.oracle->ring.counters->too_deep), "too_deep");
	end();
}

static void ring__random_trees_of_interrupts_crash_whole(void)
{
	static const struct geometry shapes[] = {
		{ 512, EPITAPH_MIN_SUBS, 0, 20000, 1 },
		{ 512, 37, 3, 8000, 1 },
		{ 1024, EPITAPH_MIN_SUBS, 1, 8000, 3 },
		{ 4096, EPITAPH_MIN_SUBS, 0, 4000, 11 },
		{ 4096, 64, 6, 3000, 13 },
		{ 16384, EPITAPH_MIN_SUBS, 2, 2000, 41 },
	};
	const char *given = getenv("SEED");
	u64 seed = given ? strtoull(given, NULL, 0) : 0x9e3779b97f4a7c15ULL;
	u32 i;

	printf("# SEED=%#llx\n", (unsigned long long)seed);
	for (i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		random_trees(&shapes[i], seed + i);
}

static void ring__no_label_was_left_out(void)
{
	u64 all = 0;
	u32 i, level;

	for (i = 0; i < rig_nr_labels; i++) {
		const struct rig_label *l = &rig_labels[i];

		printf("# %-14s", l->name);
		for (level = 0; level < EPITAPH_LEVELS; level++) {
			printf(" %9llu", (unsigned long long)l->compared[level]);
			all += l->compared[level];
			CHECK(l->compared[level], "%s at level %u", l->name, level);
		}
		printf("\n");
	}
	printf("# %llu crash points compared\n", (unsigned long long)all);
	CHECK(!rig.unknown, "%llu labels unknown", (unsigned long long)rig.unknown);
}

int main(void)
{
	TAP_RUN(ring__three_levels_crash_whole_at_every_label);
	TAP_RUN(ring__long_events_crash_whole_at_every_label);
	TAP_RUN(ring__late_events_crash_whole_at_every_label);
	TAP_RUN(ring__a_burst_longer_than_the_ring_goes_around_its_victim);
	TAP_RUN(ring__a_burst_over_two_writers_goes_around_both);
	TAP_RUN(ring__five_levels_crash_whole);
	TAP_RUN(ring__times_come_back_over_any_gap);
	TAP_RUN(ring__an_older_generation_is_not_met);
	TAP_RUN(ring__a_sixth_writer_is_counted_as_lost);
	TAP_RUN(ring__counters_stay_whole_when_losses_nest);
	TAP_RUN(ring__no_length_is_taken_for_a_shorter_one);
	TAP_RUN(ring__random_trees_of_interrupts_crash_whole);
	TAP_RUN(ring__no_label_was_left_out);
	return tap_done();
}
