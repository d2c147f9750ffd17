// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The last events of a kernel are shown, whatever a program wrote behind them.
 *
 * build: @extractor
 */
#include <stdlib.h>
#include <string.h>

#include "timeline/window.h"
#include "tap.h"

#define KERNEL	300
#define FLOOD	4000

/* Events at @first, @first + @step, ... */
struct made {
	struct stream stream;
	u64 first, step;
	u32 nr, next;
};

static struct made *made_of(const struct stream *stream)
{
	return (struct made *)stream;
}

static u64 time_of(const struct made *made, u32 i)
{
	return made->first + i * made->step;
}

static bool made_next(struct stream *stream)
{
	struct made *made = made_of(stream);

	if (made->next == made->nr)
		return false;
	stream->head = (struct item){ .kind = ITEM_EVENT, .stream = stream, .cpu = stream->cpu,
				      .time = time_of(made, made->next++), .pid = -1 };
	return true;
}

static int made_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	(void)from, (void)with_damaged, (void)err;
	made_of(stream)->next = 0;
	return 0;
}

static void made_end(struct stream *stream)
{
	(void)stream;
}

static int made_tally(const struct stream *stream, u64 from, u64 end, struct stream_counts *n,
		      struct err *err)
{
	const struct made *made = made_of(stream);

	(void)err;
	for (u32 i = 0; i < made->nr; i++) {
		if (time_of(made, i) < from)
			continue;
		if (time_of(made, i) <= end)
			n->before++;
		else
			n->after++;
	}
	return 0;
}

static u64 made_count(const struct stream *stream, u64 from)
{
	struct stream_counts n = { 0 };

	made_tally(stream, from, ~0ULL, &n, NULL);
	return n.before;
}

static const struct stream_ops ops = {
	.begin = made_begin, .next = made_next, .end = made_end, .count = made_count, .tally = made_tally,
};

/* Of @window, how many of each stream are shown. */
static void show(struct window *window, struct made *made, u32 nr, u32 *shown)
{
	static const struct formats_machine machine = { .order = ORDER_LITTLE, .long_size = 8 };
	struct stream *streams[3];
	struct postmortem pm = { .streams = streams, .nr_streams = nr,
				 .end = { .how = OUTCOME_UNKNOWN, .time = time_of(made, made->nr - 1) } };
	struct damage_notes notes = { 0 };
	const struct item *item;
	struct window_walk walk;
	struct formats *formats;
	struct timeline *tl;

	if (formats_new(&formats, &machine, &notes, NULL) || task_names_new(&pm.tasks, NULL, NULL))
		exit(99);
	for (u32 i = 0; i < nr; i++) {
		made[i].stream.ops = &ops;
		made[i].stream.formats = formats;
		made[i].stream.order = ORDER_LITTLE;
		made[i].stream.channel = "main";
		streams[i] = &made[i].stream;
		shown[i] = 0;
	}
	pm.total.any = true;
	pm.total.first = made->first;
	pm.total.last = pm.end.time;
	if (window_choose(window, &pm, NULL) || timeline_open(&tl, &pm, window->from, false, NULL))
		exit(99);
	walk = window_walk(window);
	while ((item = window_next(&walk, tl)))
		for (u32 i = 0; i < nr; i++)
			shown[i] += item->stream == streams[i];
	timeline_close(tl);
	formats_free(formats);
	task_names_free(pm.tasks);
}

static void window__a_program_does_not_drive_out_the_kernel(void)
{
	struct made made[] = {
		{ .first = 1000000, .step = 20000000, .nr = KERNEL },
		/* All behind the last of the kernel, or at one time. */
		{ .stream = { .program = "flood", .cpu = NO_CPU }, .first = 6000000000, .step = 10, .nr = FLOOD },
		{ .stream = { .program = "flood", .cpu = NO_CPU }, .first = 5900000000, .nr = FLOOD },
	};
	struct window window = WINDOW_INIT;
	u32 shown[3];

	show(&window, made, 3, shown);
	CHECK(shown[0] >= WINDOW_EVENTS && shown[0] == window.shown, "%u of the kernel, %llu", shown[0],
	      window.shown);
	CHECK(shown[1] == WINDOW_EVENTS / 4 && shown[2] == WINDOW_EVENTS / 4, "%u and %u of programs",
	      shown[1], shown[2]);
	CHECK(window.left_out == 2 * (FLOOD - WINDOW_EVENTS / 4), "%llu left out", window.left_out);
}

static void window__the_last_n_are_the_kernels(void)
{
	struct made made[] = {
		{ .first = 1000000, .step = 20000000, .nr = KERNEL },
		{ .stream = { .program = "few", .cpu = NO_CPU }, .first = 5990000000, .step = 1000, .nr = 3 },
	};
	struct window window = WINDOW_INIT;
	u32 shown[2];

	window.kind = WINDOW_LAST_EVENTS;
	window.events = 20;
	show(&window, made, 2, shown);
	CHECK(shown[0] == 20 && shown[1] == 3, "%u of the kernel, %u of the program", shown[0], shown[1]);
}

static void window__all_is_all(void)
{
	struct made made[] = {
		{ .first = 1000000, .step = 20000000, .nr = KERNEL },
		{ .stream = { .program = "flood", .cpu = NO_CPU }, .first = 6000000000, .step = 10, .nr = FLOOD },
	};
	struct window window = WINDOW_INIT;
	u32 shown[2];

	window.kind = WINDOW_ALL;
	show(&window, made, 2, shown);
	CHECK(shown[0] == KERNEL && shown[1] == FLOOD, "%u and %u", shown[0], shown[1]);
}

int main(void)
{
	TAP_RUN(window__a_program_does_not_drive_out_the_kernel);
	TAP_RUN(window__the_last_n_are_the_kernels);
	TAP_RUN(window__all_is_all);
	return tap_done();
}
