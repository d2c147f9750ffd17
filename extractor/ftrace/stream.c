// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.h"

#include <stdlib.h>

#include "graph.h"
#include "event_text.h"

/**
 * struct ftrace_stream - where one ring is
 * @next: index of the next sub-buffer
 * @given: events of the open one, so far
 * @time: of the event before, in the ring's clock
 * @lost: events of sub-buffers that could not be read, since then
 * @marks: for the next event
 * @told_unfinished: it has been
 * @graph: of the function graph tracer, if that was at work
 * @graph_told: the line of the call was written that @graph stands at
 * @ahead: room for the sub-buffer after the open one; NULL: it was not needed yet
 */
struct ftrace_stream {
	struct stream stream;
	struct ftrace *ftrace;
	const struct ftrace_buffer *buf;
	const struct ftrace_ring *ring;
	u32 next;
	bool open;
	u32 given;
	struct ftrace_page page;
	u64 time;
	u64 lost;
	u32 marks;
	bool told_unfinished;
	struct ftrace_graph graph;
	bool graph_told;
	u8 *data;
	u8 *ahead;
};

static struct ftrace_stream *to_ftrace(struct stream *stream)
{
	return (struct ftrace_stream *)stream;
}

static struct item *stand(struct ftrace_stream *cur, enum item_kind kind, u64 time)
{
	u64 ns = 0;

	ftrace_clock_mono(&cur->buf->clock, cur->ring->sched_offset, time, &ns);
	cur->stream.head = (struct item){
		.kind = kind, .stream = &cur->stream, .cpu = cur->ring->cpu, .raw = time,
		.time = ns, .pid = -1, .flags = ITEM_NO_FLAGS,
	};
	return &cur->stream.head;
}

/* Events between the last one and the next are gone; @nr of them, or 0: who knows. */
static void lose(struct ftrace_stream *cur, u64 nr)
{
	bool counted = nr && (!(cur->marks & ITEM_LOST_BEFORE) || (cur->marks & ITEM_LOST_COUNTED));

	cur->lost += nr;
	cur->marks = ITEM_LOST_BEFORE | (counted ? ITEM_LOST_COUNTED : 0);
}

/* Part of the open sub-buffer is no event: noted once, however often it is read. */
static void count_broken(struct ftrace_stream *cur, u64 nr)
{
	struct ftrace_sub *sub = &cur->ring->subs[cur->next - 1];

	if (sub->is_counted)
		return;
	sub->is_counted = true;
	cur->ftrace->nr_broken++;
	cur->ftrace->nr_unread += nr;
}

/* What can be no event, or is not in the dump: so is the rest of the sub-buffer. */
static void close_broken(struct ftrace_stream *cur)
{
	u32 nr = cur->ring->subs[cur->next - 1].nr;

	nr = nr > cur->given ? nr - cur->given : 0;
	cur->open = false;
	lose(cur, nr);
	/* What is not in the dump was counted when the ring was read. */
	if (bytes_has(&cur->page.bytes, FTRACE_PAGE_HEADER, cur->page.commit))
		count_broken(cur, nr);
}

static void take_fields(const struct ftrace_stream *cur, struct item *item,
			const struct ftrace_event *event)
{
	struct bytes b = bytes_of(event->data, event->size, cur->stream.order);

	item->id = bytes_u16(&b, 0);
	item->flags = bytes_u8(&b, 2) & cur->ftrace->flags;
	item->preempt = bytes_u8(&b, 3);
	item->pid = (s32)bytes_u32(&b, 4);
	item->payload = event->data + FORMATS_COMMON;
	item->size = event->size - FORMATS_COMMON;
}

/* The event after the one that was just given, which may be in the next sub-buffer. */
static bool look_ahead(struct ftrace_stream *cur, struct item *next)
{
	struct ftrace_page page = cur->page;
	enum ftrace_page_step step;
	struct ftrace_event event;

	step = ftrace_page_next(&page, &event);
	if (step == FTRACE_PAGE_END && cur->next < cur->ring->nr_subs) {
		if (!cur->ahead)
			cur->ahead = malloc(cur->ring->unit);
		if (!cur->ahead ||
		    !ftrace_ring_load(cur->ring, &cur->ftrace->mem, cur->next, cur->ahead, &page))
			return false;
		step = page.missed ? FTRACE_PAGE_END : ftrace_page_next(&page, &event);
	}
	if (step != FTRACE_PAGE_EVENT || event.size < FORMATS_COMMON)
		return false;
	*next = (struct item){ .kind = ITEM_EVENT, .stream = &cur->stream };
	take_fields(cur, next, &event);
	return true;
}

static void give_ftrace_event(struct ftrace_stream *cur, const struct ftrace_event *event)
{
	struct item *item = stand(cur, ITEM_EVENT, event->time), next;
	bool is_next;

	take_fields(cur, item, event);
	/* The names that the kernel keeps are of its own boot. */
	if (!cur->buf->is_earlier)
		item->comm = ftrace_comms_find(&cur->ftrace->comms, item->pid);
	if (cur->ftrace->graph_call) {
		is_next = ftrace_graph_kind(cur->ftrace, item->id) == FTRACE_GRAPH_CALL &&
			  look_ahead(cur, &next);
		ftrace_graph_step(&cur->graph, cur->ftrace, item, is_next ? &next : NULL);
		cur->graph_told &= cur->graph.kind == FTRACE_GRAPH_TOLD;
	}
	item->marks = cur->marks | (cur->ring->is_carved ? ITEM_IN_DAMAGED : 0);
	item->nr_lost = cur->lost;
	cur->marks = 0;
	cur->lost = 0;
	cur->time = event->time;
	cur->given++;
}

/* Behind the last event; none follows that could say that some were lost before it. */
static bool give_end(struct ftrace_stream *cur)
{
	u64 lost = cur->lost;

	if (lost) {
		cur->lost = 0;
		stand(cur, ITEM_DAMAGED, cur->time)->nr_lost = lost;
		return true;
	}
	if (cur->told_unfinished || !cur->ring->unfinished)
		return false;
	cur->told_unfinished = true;
	stand(cur, ITEM_TORN, cur->time)->size = cur->ring->unfinished;
	return true;
}

static bool ftrace_next(struct stream *stream)
{
	struct ftrace_stream *cur = to_ftrace(stream);
	struct ftrace_event event;

	for (;;) {
		if (!cur->open && cur->next >= cur->ring->nr_subs)
			return give_end(cur);
		if (!cur->open) {
			cur->given = 0;
			cur->open = ftrace_ring_load(cur->ring, &cur->ftrace->mem, cur->next++,
						     cur->data, &cur->page);
			if (!cur->open)
				lose(cur, cur->ring->subs[cur->next - 1].nr);
			else if (cur->page.missed)
				lose(cur, cur->page.counted ? cur->page.nr_missed : 0);
			continue;
		}
		switch (ftrace_page_next(&cur->page, &event)) {
		case FTRACE_PAGE_EVENT:
			if (event.size < FORMATS_COMMON) {
				lose(cur, 1);
				count_broken(cur, 1);
				cur->given++;
				break;
			}
			give_ftrace_event(cur, &event);
			return true;
		case FTRACE_PAGE_BROKEN:
			close_broken(cur);
			break;
		case FTRACE_PAGE_END:
			cur->open = false;
		}
	}
}

/* The first sub-buffer that may hold @from: the next one begins later. */
static u32 first_sub(const struct ftrace_stream *cur, u64 from)
{
	const struct ftrace_ring *ring = cur->ring;
	u64 ns = 0;
	u32 i;

	for (i = ring->nr_subs; i > 0; i--) {
		const struct ftrace_sub *sub = &ring->subs[i - 1];

		if (!sub->lacks && ftrace_clock_mono(&cur->buf->clock, ring->sched_offset, sub->start, &ns) &&
		    ns < from)
			return i - 1;
	}
	return 0;
}

static int ftrace_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	struct ftrace_stream *cur = to_ftrace(stream);

	(void)with_damaged;
	cur->next = first_sub(cur, from);
	cur->open = false;
	cur->marks = 0;
	cur->lost = 0;
	cur->time = cur->ring->nr_subs ? cur->ring->subs[cur->next].start : 0;
	cur->told_unfinished = false;
	cur->graph = (struct ftrace_graph){ 0 };
	cur->graph_told = false;
	cur->data = malloc(cur->ring->unit);
	return cur->data ? 0 : err_sys(err, "memory for a sub-buffer");
}

static void ftrace_end(struct stream *stream)
{
	struct ftrace_stream *cur = to_ftrace(stream);

	free(cur->data);
	free(cur->ahead);
	cur->data = NULL;
	cur->ahead = NULL;
}

static u64 ftrace_count(const struct stream *stream, u64 from)
{
	const struct ftrace_stream *cur = (const struct ftrace_stream *)stream;
	u64 n = 0;
	u32 i;

	/* How many are lost before the first event is unknown. */
	for (i = first_sub(cur, from) + !!from; i < cur->ring->nr_subs; i++)
		if (!cur->ring->subs[i].lacks)
			n += cur->ring->subs[i].nr;
	return n;
}

static bool ftrace_is_merged(const struct stream *stream)
{
	const struct ftrace_stream *cur = (const struct ftrace_stream *)stream;

	return cur->graph_told && cur->graph.kind == FTRACE_GRAPH_TOLD;
}

/* That it was written is for ftrace_is_merged() to know. */
static bool ftrace_put(const struct stream *stream, FILE *f, const struct item *item)
{
	struct ftrace_stream *cur = to_ftrace((struct stream *)stream);

	if (ftrace_graph_text(&cur->graph, cur->ftrace, f, cur->buf->text_delta)) {
		cur->graph_told = cur->graph.kind == FTRACE_GRAPH_LEAF;
		return true;
	}
	cur->ftrace->text_delta = cur->buf->text_delta;
	return ftrace_text(cur->ftrace, cur->buf, f, item);
}

static void ftrace_pass(const struct stream *stream)
{
	struct ftrace_stream *cur = to_ftrace((struct stream *)stream);

	if (cur->graph.kind != FTRACE_GRAPH_NONE && !ftrace_is_merged(stream))
		cur->graph_told = cur->graph.kind == FTRACE_GRAPH_LEAF;
}

static u64 ftrace_real(const struct stream *stream, const struct item *item)
{
	const struct ftrace_clock *clock = &((const struct ftrace_stream *)stream)->buf->clock;
	u64 ns;

	return !ftrace_clock_is_own(clock) && timekeeping_real(clock->kclock, item->time, &ns) ? ns : 0;
}

static u64 ftrace_bound(const struct stream *stream, u64 time)
{
	return ftrace_clock_bound(&((const struct ftrace_stream *)stream)->buf->clock, time);
}

static void ftrace_free(struct stream *stream)
{
	free(to_ftrace(stream));
}

static enum stream_clock stream_clock(const struct ftrace_clock *clock)
{
	switch (clock->kind) {
	case FTRACE_CLOCK_MONO:
	case FTRACE_CLOCK_BOOT:
	case FTRACE_CLOCK_TAI:
		return STREAM_TIMEKEEPER;
	case FTRACE_CLOCK_RAW:
		return STREAM_RAW;
	case FTRACE_CLOCK_TSC:
		return STREAM_COUNTER;
	case FTRACE_CLOCK_TICKS:
		return STREAM_TICKS;
	case FTRACE_CLOCK_SCHED:
	case FTRACE_CLOCK_LOCAL:
	case FTRACE_CLOCK_NONE:
	case FTRACE_CLOCK_OWN:
		break;
	}
	return STREAM_LOCAL;
}

static const struct stream_ops ftrace_ops = {
	.begin = ftrace_begin,
	.next = ftrace_next,
	.end = ftrace_end,
	.count = ftrace_count,
	.text = ftrace_put,
	.pass = ftrace_pass,
	.is_merged = ftrace_is_merged,
	.bound = ftrace_bound,
	.real = ftrace_real,
	.free = ftrace_free,
};

int stream_ftrace_new(struct stream **ret, struct ftrace *ftrace,
		      const struct ftrace_buffer *buf, const struct ftrace_ring *ring,
		      struct err *err)
{
	struct ftrace_stream *cur = calloc(1, sizeof(*cur));

	if (!cur)
		return err_sys(err, "memory for a ring");
	cur->ftrace = ftrace;
	cur->buf = buf;
	cur->ring = ring;
	cur->stream = (struct stream){
		.ops = &ftrace_ops, .channel = buf->name, .cpu = ring->cpu,
		.order = ftrace->mem.order, .doubt = ftrace_clock_doubt(&buf->clock),
		.formats = ftrace->formats, .clock = stream_clock(&buf->clock),
		.is_count = buf->clock.kind == FTRACE_CLOCK_NONE, .is_unsure = buf->is_unsure,
	};
	*ret = &cur->stream;
	return 0;
}
