// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream_ring.h"

#include <stdlib.h>

#include "bytes.h"

/**
 * struct ring_stream - where one ring is
 * @next: index in scan.subs
 * @sub: the open one, whose bytes are @data
 * @at: in it
 * @pid: that runs, or -1
 * @marks: for the next event, with @nr_lost
 */
struct ring_stream {
	struct stream stream;
	const struct trace_ring *ring;
	u32 next;
	bool with_damaged;
	bool open;
	bool damaged;
	struct sub sub;
	struct sub_cursor at;
	s64 pid;
	u32 marks;
	u64 nr_lost;
	u8 *data;
};

static struct ring_stream *to_ring(struct stream *stream)
{
	return (struct ring_stream *)stream;
}

/* What stands at @raw, and is of @kind. */
static struct entry *stand(struct ring_stream *cur, enum entry_kind kind, u64 raw)
{
	cur->stream.head = (struct entry){
		.kind = kind, .stream = &cur->stream, .cpu = cur->ring->cpu, .raw = raw,
		.time = trace_mono(cur->ring->trace, raw), .pid = -1, .flags = ENTRY_NO_FLAGS,
	};
	return &cur->stream.head;
}

static void mark_loss(struct ring_stream *cur)
{
	const struct scan *scan = &cur->ring->scan;
	const struct scan_sub *sub = &scan->subs[cur->next];
	const struct scan_sub *before = sub - 1;

	if (!cur->next)
		return;
	if (sub->flags & SCAN_GAP) {
		cur->marks |= ENTRY_LOST_BEFORE;
		cur->marks &= ~ENTRY_LOST_COUNTED;
	} else if (sub->lost > before->lost && !(cur->marks & ENTRY_LOST_BEFORE)) {
		cur->marks |= ENTRY_LOST_BEFORE | ENTRY_LOST_COUNTED;
		cur->nr_lost = sub->lost - before->lost;
	}
}

static void give_damaged(struct ring_stream *cur, const struct scan_sub *sub)
{
	stand(cur, ENTRY_DAMAGED, sub->time)->nr_lost = sub->nr_events;
	cur->marks = ENTRY_LOST_BEFORE;
}

/* Opens the next sub-buffer.  1: it is open; 0: no more; 2: an entry instead. */
static int open_sub(struct ring_stream *cur)
{
	const struct scan *scan = &cur->ring->scan;
	const struct scan_sub *sub;

	if (cur->next >= scan->nr_subs)
		return 0;
	sub = &scan->subs[cur->next];
	mark_loss(cur);
	cur->damaged = sub->state != SUB_GOOD;
	if (!scan_load(scan, cur->next++, &cur->sub, cur->data) ||
	    (cur->damaged && !cur->with_damaged)) {
		give_damaged(cur, sub);
		return 2;
	}
	cur->open = true;
	cur->pid = cur->sub.pid;
	cur->at = sub_begin(&cur->sub);
	return 1;
}

/* Who runs after this event; the event itself is still the one before's. */
static void follow_pid(struct ring_stream *cur)
{
	struct entry *entry = &cur->stream.head;
	const struct format *format = formats_get(cur->stream.formats, entry->id);
	struct bytes payload = bytes_of(entry->payload, entry->size, cur->stream.order);

	if (!format->name) {
		/* It may have been a switch. */
		cur->pid = -1;
		return;
	}
	if (!format->is_switch)
		return;
	if (format->nr_comms < 2) {
		cur->pid = -1;
		return;
	}
	if (entry->pid < 0)
		entry->pid = format_number(format->comms[0].pid, &payload);
	cur->pid = format_number(format->comms[1].pid, &payload);
}

static void give_event(struct ring_stream *cur, const struct sub_event *ev)
{
	struct entry *entry = stand(cur, ENTRY_EVENT, ev->time);

	entry->id = ev->id;
	entry->pid = cur->pid;
	entry->marks = cur->marks;
	entry->nr_lost = cur->nr_lost;
	entry->payload = cur->data + ev->off + ev->before * 4;
	entry->size = (ev->words - ev->before) * 4;
	if (cur->damaged)
		entry->marks |= ENTRY_IN_DAMAGED;
	if (ev->unproven)
		entry->marks |= ENTRY_UNPROVEN;
	if (ev->doubtful)
		entry->marks |= ENTRY_UNCERTAIN;
	cur->marks = 0;
	cur->nr_lost = 0;
	follow_pid(cur);
}

static void take_pid(struct ring_stream *cur, const struct sub_event *ev)
{
	struct bytes b = bytes_of(cur->data, cur->ring->scan.unit, ORDER_LITTLE);

	cur->pid = bytes_u32(&b, ev->off + ev->before * 4);
}

static bool ring_next(struct stream *stream)
{
	struct ring_stream *cur = to_ring(stream);
	const struct ids *ids = &cur->ring->trace->ids;
	struct sub_event ev;
	int opened;

	for (;;) {
		if (!cur->open) {
			opened = open_sub(cur);
			if (opened != 1)
				return opened;
		}
		sub_next(&cur->sub, cur->data, &cur->at, ids, &ev);
		if (ev.kind == SUB_END || ev.kind == SUB_BROKEN) {
			cur->open = false;
		} else if (ev.kind != SUB_COMMITTED) {
			stand(cur, ENTRY_TORN, ev.time)->size = ev.words * 4;
			return true;
		} else if (ev.id == EPITAPH_ID_PID) {
			take_pid(cur, &ev);
		} else {
			give_event(cur, &ev);
			return true;
		}
	}
}

/* The first sub-buffer that may hold @from; damaged ones do not decide. */
static u32 first_sub(const struct scan *scan, u64 from)
{
	u32 i, first = scan->nr_subs;

	for (i = scan->nr_subs; i > 0; i--) {
		if (scan->subs[i - 1].state == SUB_GOOD && scan->subs[i - 1].last < from)
			break;
		first = i - 1;
	}
	return first;
}

/* In the units of the ring; not after @ns. */
static u64 raw_of(const struct trace_ring *ring, u64 ns)
{
	const struct clock *clock = &ring->trace->clock;

	return ns ? clock_of_mono(clock, ns) >> clock->shift : 0;
}

static int ring_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	struct ring_stream *cur = to_ring(stream);

	cur->with_damaged = with_damaged;
	cur->next = first_sub(&cur->ring->scan, raw_of(cur->ring, from));
	cur->open = false;
	cur->pid = -1;
	cur->marks = 0;
	cur->nr_lost = 0;
	cur->data = malloc(cur->ring->scan.unit);
	return cur->data ? 0 : err_sys(err, "memory for a sub-buffer");
}

static void ring_end(struct stream *stream)
{
	struct ring_stream *cur = to_ring(stream);

	free(cur->data);
	cur->data = NULL;
}

/* Sub-buffers that begin at @from or later. */
static u64 ring_count(const struct stream *stream, u64 from)
{
	const struct trace_ring *ring = ((const struct ring_stream *)stream)->ring;
	const struct scan *scan = &ring->scan;
	u64 raw = raw_of(ring, from);
	u64 n = 0;
	u32 k;

	for (k = scan->nr_subs; k > 0; k--)
		if (scan->subs[k - 1].first >= raw)
			n += scan->subs[k - 1].nr_events;
	return n;
}

static u64 ring_real(const struct stream *stream, const struct entry *entry)
{
	const struct trace *trace = ((const struct ring_stream *)stream)->ring->trace;

	return clock_real(&trace->clock, clock_of_time(&trace->clock, entry->raw));
}

static void ring_free(struct stream *stream)
{
	free(to_ring(stream));
}

static const struct stream_ops ring_ops = {
	.begin = ring_begin,
	.next = ring_next,
	.end = ring_end,
	.count = ring_count,
	.real = ring_real,
	.free = ring_free,
};

int stream_ring_new(struct stream **ret, const struct trace_ring *ring, struct err *err)
{
	struct ring_stream *cur = calloc(1, sizeof(*cur));
	const struct trace *trace = ring->trace;

	if (!cur)
		return err_sys(err, "memory for a ring");
	cur->ring = ring;
	cur->stream = (struct stream){
		.ops = &ring_ops, .channel = ring->channel->name, .cpu = ring->cpu,
		.order = trace->region->hdr.byte_order == EPITAPH_BIG_ENDIAN ?
			 ORDER_BIG : ORDER_LITTLE,
		.doubt = clock_units_ns(&trace->clock, clock_doubt(&trace->clock)),
		.formats = trace->formats,
	};
	*ret = &cur->stream;
	return 0;
}
