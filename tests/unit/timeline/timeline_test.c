// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Which events of a timeline are in no certain order: streams that are made up here,
 * of one clock and of two.
 *
 * build: @extractor -lbpf -lelf -lzstd -llzo2 -lz -lsnappy
 */
#include <string.h>

#include "timeline/postmortem.h"
#include "timeline/timeline.h"
#include "tap.h"

#define MAX_EVENTS	8

struct made {
	struct stream stream;
	u64 times[MAX_EVENTS];	/* 0 ends them */
	u64 bound;
	u32 next;
};

static bool made_next(struct stream *stream)
{
	struct made *made = (struct made *)stream;
	u64 time = made->times[made->next];

	if (!time)
		return false;
	made->next++;
	stream->head = (struct item){ .kind = ITEM_EVENT, .stream = stream, .cpu = stream->cpu,
				       .time = time, .pid = -1 };
	return true;
}

static int made_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	(void)stream, (void)from, (void)with_damaged, (void)err;
	return 0;
}

static void made_end(struct stream *stream)
{
	(void)stream;
}

static u64 made_bound(const struct stream *stream, u64 time)
{
	(void)time;
	return ((const struct made *)stream)->bound;
}

static const struct stream_ops ops = {
	.begin = made_begin, .next = made_next, .end = made_end, .bound = made_bound,
};

/* How the kernel ended, and the time from which only marks and the crash are asked for. */
static struct postmortem_end end;
static u64 drop_from;

/* "1 2~ 4": times in their order, and which are marked. */
static const char *times_of(struct made *made, u32 nr)
{
	static char text[400];
	struct stream *streams[4];
	struct postmortem pm = { .streams = streams, .nr_streams = nr, .end = end };
	struct formats_machine machine = { .order = ORDER_LITTLE, .long_size = 8 };
	struct damage_notes notes = { 0 };
	const struct item *item;
	struct formats *formats;
	struct timeline *tl;
	size_t n = 0;

	if (formats_new(&formats, &machine, &notes, NULL) || task_names_new(&pm.tasks, NULL, NULL))
		exit(99);
	for (u32 i = 0; i < nr; i++) {
		made[i].stream.ops = &ops;
		made[i].stream.formats = formats;
		made[i].stream.order = ORDER_LITTLE;
		streams[i] = &made[i].stream;
	}
	if (timeline_open(&tl, &pm, 0, false, NULL))
		exit(99);
	*text = '\0';
	while ((item = timeline_next(tl))) {
		n += snprintf(text + n, sizeof(text) - n, "%s%llu%s", n ? " " : "", item->time,
			      item->kind == ITEM_CRASH ? "!" :
			      item->marks & ITEM_UNCERTAIN ? "~" : "");
		if (item->time == drop_from)
			timeline_drop_events(tl);
	}
	timeline_close(tl);
	formats_free(formats);
	task_names_free(pm.tasks);
	damage_notes_free(&notes);
	return text;
}

static void check_told(struct made *made, u32 nr, const char *wanted)
{
	const char *text = times_of(made, nr);

	CHECK(!strcmp(text, wanted), "%s, not %s", text, wanted);
}

static void timeline__marks_other_cpus_within_the_doubt_of_one_clock(void)
{
	struct made made[] = {
		{ .stream = { .cpu = 0, .doubt = 5 }, .times = { 100, 200, 203, 300 } },
		{ .stream = { .cpu = 1, .doubt = 5 }, .times = { 105, 150, 306 } },
	};

	check_told(made, 2, "100~ 105~ 150 200 203 300 306");
}

static void timeline__marks_another_clock_by_what_both_may_be_off(void)
{
	/* The same CPU, and none of the clocks in doubt of itself. */
	struct made made[] = {
		{ .stream = { .cpu = 0, .clock = STREAM_LOCAL }, .bound = 30, .times = { 100, 200, 300 } },
		{ .stream = { .cpu = 0, .clock = STREAM_TIMEKEEPER }, .bound = 10, .times = { 140, 341 } },
	};

	check_told(made, 2, "100~ 140~ 200 300 341");
}

static void timeline__an_event_between_does_not_hide_the_other_clock(void)
{
	struct made made[] = {
		{ .stream = { .cpu = 0, .clock = STREAM_LOCAL }, .bound = 30, .times = { 100 } },
		{ .stream = { .cpu = 1, .clock = STREAM_TIMEKEEPER }, .times = { 110 } },
		{ .stream = { .cpu = 2, .clock = STREAM_TIMEKEEPER }, .times = { 120, 131, 500 } },
	};

	check_told(made, 3, "100~ 110~ 120~ 131 500");
}

static void timeline__what_has_a_guessed_clock_is_in_no_order(void)
{
	struct made made[] = {
		{ .stream = { .cpu = 0, .clock = STREAM_LOCAL }, .times = { 100, 900 } },
		{ .stream = { .cpu = NO_CPU, .clock = STREAM_LOCAL, .is_unsure = true }, .times = { 500 } },
	};

	check_told(made, 2, "100 500~ 900");
}

/* Events at 100, 500 and 900, of a kernel that ended so. */
static void check_ended(enum outcome_end how, u64 time, const char *wanted)
{
	struct made made[] = {
		{ .stream = { .cpu = 0, .clock = STREAM_LOCAL }, .times = { 100, 500, 900 } },
	};

	end = (struct postmortem_end){ .how = how, .time = time };
	check_told(made, 1, wanted);
	end = (struct postmortem_end){ 0 };
}

static void timeline__the_crash_has_its_place_among_events(void)
{
	check_ended(OUTCOME_CRASHED, 500, "100 500! 500 900");
	check_ended(OUTCOME_CRASHED, 901, "100 500 900 901!");
	check_ended(OUTCOME_ENDED, 500, "100 500 900");
}

static void timeline__the_crash_comes_without_later_events(void)
{
	drop_from = 500;
	check_ended(OUTCOME_CRASHED, ~0ULL, "100 500 18446744073709551615!");
	drop_from = 0;
}

int main(void)
{
	TAP_RUN(timeline__marks_other_cpus_within_the_doubt_of_one_clock);
	TAP_RUN(timeline__marks_another_clock_by_what_both_may_be_off);
	TAP_RUN(timeline__an_event_between_does_not_hide_the_other_clock);
	TAP_RUN(timeline__what_has_a_guessed_clock_is_in_no_order);
	TAP_RUN(timeline__the_crash_has_its_place_among_events);
	TAP_RUN(timeline__the_crash_comes_without_later_events);
	return tap_done();
}
