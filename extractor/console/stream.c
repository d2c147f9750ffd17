// SPDX-License-Identifier: GPL-2.0-or-later
#include "console.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

/* @next: of the events of the ring */
struct console_stream {
	struct stream stream;
	const struct console *console;
	const struct console_ring *ring;
	u32 next;
};

static const struct console_event *event_at(const struct console_stream *cur, u32 i)
{
	return &cur->console->events.list[cur->ring->first + i];
}

/* The first event from @from on. */
static u32 find_from(const struct console_stream *cur, u64 from)
{
	u32 low = 0, high = cur->ring->nr;

	while (low < high) {
		u32 middle = low + (high - low) / 2;

		if (event_at(cur, middle)->time < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static int console_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	struct console_stream *cur = (struct console_stream *)stream;

	(void)with_damaged;
	(void)err;
	cur->next = find_from(cur, from);
	return 0;
}

static bool console_next(struct stream *stream)
{
	struct console_stream *cur = (struct console_stream *)stream;
	const struct console_event *event;

	if (cur->next == cur->ring->nr)
		return false;
	event = event_at(cur, cur->next++);
	stream->head = (struct item){
		.kind = ITEM_EVENT, .stream = stream, .cpu = event->cpu, .time = event->time, .raw = event->raw,
		.id = event->id, .payload = cur->console->events.payloads.data + event->off, .size = event->size,
		.pid = event->pid, .comm = *event->comm ? event->comm : NULL, .flags = event->flags,
		.preempt = event->preempt, .marks = event->marks, .nr_lost = event->nr_lost,
	};
	return true;
}

static void console_end(struct stream *stream)
{
	(void)stream;
}

static u64 console_count(const struct stream *stream, u64 from)
{
	const struct console_stream *cur = (const struct console_stream *)stream;

	return cur->ring->nr - find_from(cur, from);
}

static u64 console_real(const struct stream *stream, const struct item *item)
{
	(void)stream;
	(void)item;
	return 0;
}

/* As it stood there. */
static bool console_text(const struct stream *stream, FILE *f, const struct item *item)
{
	const struct console_stream *cur = (const struct console_stream *)stream;
	struct printed_words text = console_event_text(&cur->console->events, item->payload, item->size);
	const char *at = text.at, *end = text.at + text.len, *newline;

	for (; (newline = memchr(at, '\n', end - at)); at = newline + 1) {
		text_put(f, at, newline - at);
		putc('\n', f);
	}
	text_put(f, at, end - at);
	return true;
}

static void console_free(struct stream *stream)
{
	free(stream);
}

int stream_console_new(struct stream **ret, const struct console *console, u32 i, struct err *err)
{
	static const struct stream_ops ops = {
		.begin = console_begin, .next = console_next, .end = console_end, .count = console_count,
		.text = console_text, .real = console_real, .free = console_free,
	};
	struct console_stream *cur = calloc(1, sizeof(*cur));

	if (!cur)
		return err_sys(err, "memory for the events of a CPU");
	cur->console = console;
	cur->ring = &console->rings[i];
	cur->stream = (struct stream){
		.ops = &ops, .channel = "console", .cpu = cur->ring->cpu, .order = ORDER_LITTLE,
		.clock = cur->ring->is_ftrace ? STREAM_LOCAL : STREAM_TIMEKEEPER, .is_unsure = cur->ring->is_unsure,
		.formats = console_events_formats(&console->events),
	};
	*ret = &cur->stream;
	return 0;
}
