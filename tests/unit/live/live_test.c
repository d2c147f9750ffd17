// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A region that is recorded into, by the recorder's own ring, while it is followed:
 * in turns, so that it is known what must come, and by threads at full speed.
 *
 * build: tests/lib/live_image.c tests/lib/region_image.c kernel/core/ring.c @extractor -pthread
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "live/live.h"
#include "live_image.h"
#include "tap.h"

#define MAX_GIVEN	100000

/*
 * What is done between two rounds.
 * @turn: NULL: nothing
 */
static struct {
	void (*turn)(uint32_t turn);
	uint32_t turns;
	uint32_t nr_turns;
	int stop;
} play;

struct given {
	uint32_t cpu;
	uint32_t number;
	uint64_t time;
	uint32_t marks;
	uint64_t nr_lapped;
	enum item_kind kind;
};

static struct given given[MAX_GIVEN];
static uint32_t nr_given;

static bool take_turn(u64 ns)
{
	(void)ns;
	if (play.turns < play.nr_turns && play.turn)
		play.turn(play.turns);
	play.stop = ++play.turns >= play.nr_turns + 2;
	/* What was recorded now is old enough in the next round. */
	usleep(4000);
	return true;
}

static int take(void *priv, const struct item *item, struct err *err)
{
	struct given *g = &given[nr_given];
	uint64_t value = 0;

	(void)priv, (void)err;
	*g = (struct given){ item->cpu, ~0U, item->raw, item->marks, item->nr_lapped, item->kind };
	if (item->kind == ITEM_EVENT && item->size == 12) {
		memcpy(&g->number, item->payload, 4);
		memcpy(&value, (const uint8_t *)item->payload + 4, 8);
		CHECK(value == g->number * LIVE_FACTOR, "event %u is another", g->number);
	}
	nr_given += nr_given + 1 < MAX_GIVEN;
	return 0;
}

static int flush(void *priv, struct err *err)
{
	(void)priv, (void)err;
	return 0;
}

static struct window wanted = WINDOW_INIT;

/* Follows until @nr_turns were taken. */
static struct live_counts follow(void (*turn)(uint32_t turn), uint32_t nr_turns, u64 last_ns)
{
	struct live_request request = {
		.window = &wanted, .last_ns = last_ns, .stop = &play.stop, .wait = take_turn,
	};
	struct live_sink sink = { .item = take, .flush = flush };
	struct live_counts counts = { 0 };
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct dump *in;

	play.turn = turn;
	play.nr_turns = nr_turns;
	play.turns = play.stop = 0;
	nr_given = 0;
	if (CHECK(!dump_open_live(&in, live_image_fd, &err), "%s", err.msg) &&
	    CHECK(!pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err), "%s", err.msg))
		CHECK(!live_follow(&pm, &request, &sink, &counts, &err), "%s", err.msg);
	pm_close(&pm);
	return counts;
}

/* Numbers of a CPU grow by one each, unless sub-buffers were lapped.  Return: how many there were */
static uint32_t check_numbers(uint32_t cpu, bool from_first)
{
	uint32_t i, n = 0, next = 0;

	for (i = 0; i < nr_given; i++) {
		const struct given *g = &given[i];

		if (g->cpu != cpu || g->kind != ITEM_EVENT)
			continue;
		if ((n || from_first) && !(g->marks & ITEM_LAPPED))
			CHECK(g->number == next, "CPU %u: %u comes for %u", cpu, g->number, next);
		CHECK(g->number >= next, "CPU %u: %u comes again", cpu, g->number);
		next = g->number + 1;
		n++;
	}
	CHECK(!n || next == live_written[cpu], "CPU %u: the last is %u of %u", cpu, next,
	      live_written[cpu]);
	return n;
}

static void check_times(void)
{
	uint32_t i;

	for (i = 1; i < nr_given; i++)
		CHECK(given[i].time >= given[i - 1].time || (given[i].marks & ITEM_LATE),
		      "entry %u goes back", i);
}

static void some_each(uint32_t turn)
{
	uint32_t i;

	for (i = 0; i < 20 + turn % 50; i++)
		live_record(i % 3 == 0);
}

static void live__gives_each_event_once_in_the_order_of_time(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(some_each, 100, 0);
	CHECK(check_numbers(0, true) + check_numbers(1, true) == counts.events, "%llu", counts.events);
	CHECK(counts.events > 4000 && counts.events == live_written[0] + live_written[1], "%llu events",
	      counts.events);
	CHECK(!counts.laps && !counts.late && !counts.torn && !counts.damaged, "%llu laps, %llu late",
	      counts.laps, counts.late);
	check_times();
	live_image_end();
}

static void live__begins_with_what_there_is(void)
{
	struct live_counts counts;
	uint32_t i;

	live_image_start();
	for (i = 0; i < 100; i++)
		live_record(0);
	usleep(4000);
	counts = follow(NULL, 1, 10000000000);
	CHECK(counts.events == 100, "%llu events", counts.events);
	check_numbers(0, true);
	live_image_end();
}

static void live__begins_now_without_being_asked(void)
{
	struct live_counts counts;
	uint32_t i;

	live_image_start();
	for (i = 0; i < 100; i++)
		live_record(0);
	usleep(1000);
	counts = follow(some_each, 1, 0);
	CHECK(counts.events == 20 && given[0].number == (given[0].cpu ? 0 : 100), "%llu events",
	      counts.events);
	live_image_end();
}

static void many_at_times(uint32_t turn)
{
	uint32_t i;

	for (i = 0; i < (turn % 4 ? 20 : 2000); i++)
		live_record(0);
	live_record(1);
}

static void live__says_where_it_was_lapped(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(many_at_times, 20, 0);
	check_numbers(0, false);
	check_numbers(1, true);
	CHECK(counts.laps == 5 && counts.lapped > 5 * IMAGE_SUBS, "%llu laps of %llu sub-buffers",
	      counts.laps, counts.lapped);
	CHECK(!counts.damaged && !counts.torn, "%llu damaged, %llu torn", counts.damaged, counts.torn);
	check_times();
	live_image_end();
}

static void live__says_of_one_cpu_what_was_lost_there(void)
{
	struct live_counts counts;
	uint32_t i;

	live_image_start();
	wanted.cpu = 1;
	counts = follow(many_at_times, 20, 0);
	wanted.cpu = -1;
	CHECK(check_numbers(1, true) == 20 && nr_given == 20, "%u given", nr_given);
	for (i = 0; i < nr_given; i++)
		CHECK(given[i].cpu == 1 && !(given[i].marks & ITEM_LAPPED), "entry %u is of CPU %u", i, given[i].cpu);
	CHECK(!counts.laps && !counts.lapped, "%llu laps of %llu sub-buffers", counts.laps, counts.lapped);
	live_image_end();
}

static void interrupted_for_a_while(uint32_t turn)
{
	if (turn == 1)
		live_claim(0);
	live_record(0);
	live_record(1);
	if (turn == 5)
		live_commit(0);
}

static void live__waits_for_what_is_not_committed(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(interrupted_for_a_while, 10, 0);
	CHECK(check_numbers(0, true) == 11 && check_numbers(1, true) == 10, "%llu events", counts.events);
	CHECK(!counts.late && !counts.torn && !counts.damaged, "%llu late, %llu torn", counts.late,
	      counts.torn);
	check_times();
	live_image_end();
}

static void never_committed(uint32_t turn)
{
	if (turn == 1) {
		live_claim(0);
		live_written[0]--;
	}
	live_record(0);
	live_record(1);
	if (turn == 5)
		usleep(1100000);
}

static void live__leaves_behind_what_is_never_committed(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(never_committed, 10, 0);
	CHECK(check_numbers(0, true) == 10 && check_numbers(1, true) == 10, "%llu events", counts.events);
	CHECK(counts.torn == 1 && !counts.damaged && !counts.laps, "%llu torn, %llu damaged", counts.torn,
	      counts.damaged);
	live_image_end();
}

static void a_kind_joins(uint32_t turn)
{
	if (turn == 3)
		live_add_format();
	live_record(0);
	if (turn >= 3)
		live_record_late(0);
}

static void nothing_after_it(uint32_t turn)
{
	if (turn == 0)
		live_record(0);
	if (turn == 1) {
		live_claim(0);
		live_written[0]--;
		live_record(0);
	}
	if (turn == 2)
		usleep(1100000);
}

static void live__leaves_it_behind_when_nothing_follows(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(nothing_after_it, 10, 0);
	CHECK(check_numbers(0, true) == 2 && counts.torn == 1, "%llu events, %llu torn", counts.events,
	      counts.torn);
	live_image_end();
}

static void live__knows_what_joins_while_it_follows(void)
{
	struct live_counts counts;

	live_image_start();
	counts = follow(a_kind_joins, 10, 0);
	CHECK(counts.events == 17 && !counts.damaged, "%llu events, %llu damaged", counts.events,
	      counts.damaged);
	live_image_end();
}

static volatile bool is_over;

static void *write_at_full_speed(void *arg)
{
	uint32_t cpu = (uintptr_t)arg, i;

	while (!is_over) {
		live_record(cpu);
		/* Now and then a pause in which a reader can come after. */
		for (i = 0; i < 400 && live_written[cpu] % 512 > 256; i++)
			__asm__ volatile("" ::: "memory");
	}
	return NULL;
}

static void live__invents_nothing_beside_writers_at_full_speed(void)
{
	struct live_counts counts;
	pthread_t writers[IMAGE_CPUS];
	uint32_t cpu, i, last[IMAGE_CPUS] = { 0 };

	live_image_start();
	is_over = false;
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		pthread_create(&writers[cpu], NULL, write_at_full_speed, (void *)(uintptr_t)cpu);
	counts = follow(NULL, 60, 0);
	is_over = true;
	for (cpu = 0; cpu < IMAGE_CPUS; cpu++)
		pthread_join(writers[cpu], NULL);
	CHECK(counts.events > 100 && counts.laps, "%llu events, %llu laps", counts.events, counts.laps);
	CHECK(!counts.damaged && !counts.torn, "%llu damaged, %llu torn", counts.damaged, counts.torn);
	for (i = 0; i < nr_given; i++) {
		const struct given *g = &given[i];

		if (g->kind != ITEM_EVENT)
			continue;
		CHECK(!last[g->cpu] || g->number == last[g->cpu] + 1 || (g->marks & ITEM_LAPPED),
		      "CPU %u: %u after %u", g->cpu, g->number, last[g->cpu]);
		last[g->cpu] = g->number;
	}
	check_times();
	live_image_end();
}

int main(void)
{
	TAP_RUN(live__gives_each_event_once_in_the_order_of_time);
	TAP_RUN(live__begins_with_what_there_is);
	TAP_RUN(live__begins_now_without_being_asked);
	TAP_RUN(live__says_where_it_was_lapped);
	TAP_RUN(live__says_of_one_cpu_what_was_lost_there);
	TAP_RUN(live__waits_for_what_is_not_committed);
	TAP_RUN(live__leaves_behind_what_is_never_committed);
	TAP_RUN(live__leaves_it_behind_when_nothing_follows);
	TAP_RUN(live__knows_what_joins_while_it_follows);
	TAP_RUN(live__invents_nothing_beside_writers_at_full_speed);
	return tap_done();
}
