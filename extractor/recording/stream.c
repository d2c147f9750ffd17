// SPDX-License-Identifier: GPL-2.0-or-later
#include "stream.h"

#include <stdlib.h>

#include "ring_walk.h"

/**
 * struct ring_stream - the position in one ring
 * @walk: the position in the current sub-buffer, if @open; its bytes are @data
 * @next: index in scan.subs
 * @data: of the current sub-buffer; behind it, if it was repaired, its bytes before that
 */
struct ring_stream {
	struct ring_walk walk;
	const struct recording_ring *ring;
	u32 next;
	bool with_damaged;
	bool open;
	u8 *data;
};

static struct ring_stream *to_ring(struct stream *stream)
{
	return (struct ring_stream *)stream;
}

static void mark_loss(struct ring_stream *cur)
{
	const struct ring_scan *scan = &cur->ring->scan;
	const struct scanned_subbuf *sub = &scan->subs[cur->next];
	const struct scanned_subbuf *before = sub - 1;

	if (!cur->next)
		return;
	if ((sub->flags & SCAN_GAP) || (before->flags & SCAN_OLDER)) {
		cur->walk.marks |= ITEM_LOST_BEFORE;
		cur->walk.marks &= ~ITEM_LOST_COUNTED;
	} else if (sub->lost > before->lost && !(cur->walk.marks & ITEM_LOST_BEFORE)) {
		cur->walk.marks |= ITEM_LOST_BEFORE | ITEM_LOST_COUNTED;
		cur->walk.nr_lost = sub->lost - before->lost;
	}
}

/* Opens the next sub-buffer.  1: open; 0: the end; 2: an item says that it is damaged. */
static int open_subbuf(struct ring_stream *cur)
{
	const struct ring_scan *scan = &cur->ring->scan;
	const struct scanned_subbuf *sub;

	if (cur->next >= scan->nr_subs)
		return 0;
	sub = &scan->subs[cur->next];
	mark_loss(cur);
	cur->walk.damaged = sub->state != SUBBUF_GOOD;
	cur->walk.raw = sub->flags & SCAN_REPAIRED ? cur->data + scan->unit : NULL;
	if (!ring_scan_load(scan, cur->next++, &cur->walk.sub, cur->data, cur->data + scan->unit) ||
	    (cur->walk.damaged && !cur->with_damaged)) {
		ring_walk_stand(&cur->walk, ITEM_DAMAGED, sub->time)->nr_lost = sub->nr_events;
		cur->walk.marks = ITEM_LOST_BEFORE;
		return 2;
	}
	cur->open = true;
	ring_walk_enter(&cur->walk);
	return 1;
}

static bool ring_next(struct stream *stream)
{
	struct ring_stream *cur = to_ring(stream);
	int opened;

	for (;;) {
		if (!cur->open) {
			opened = open_subbuf(cur);
			if (opened != 1)
				return opened;
		}
		if (ring_walk_next(&cur->walk))
			return true;
		cur->open = false;
	}
}

/*
 * The first sub-buffer that may have an event at @from or later; damaged ones do not count. Where the clock
 * went back, one with earlier events may come behind it.
 */
static u32 first_subbuf(const struct ring_scan *scan, u64 from)
{
	u32 i = 0;

	while (i < scan->nr_subs && (scan->subs[i].state != SUBBUF_GOOD || scanned_latest(&scan->subs[i]) < from))
		i++;
	while (i && scan->subs[i - 1].state != SUBBUF_GOOD)
		i--;
	return i;
}

static int begin_at(struct ring_stream *cur, u32 i, bool with_damaged, struct err *err)
{
	cur->with_damaged = with_damaged;
	cur->next = i;
	cur->open = false;
	cur->walk.pid = -1;
	cur->walk.marks = 0;
	cur->walk.nr_lost = 0;
	cur->data = malloc(2 * cur->ring->scan.unit);
	cur->walk.data = cur->data;
	return cur->data ? 0 : err_sys(err, "memory for a sub-buffer");
}

static int ring_begin(struct stream *stream, u64 from, bool with_damaged, struct err *err)
{
	struct ring_stream *cur = to_ring(stream);

	return begin_at(cur, first_subbuf(&cur->ring->scan, recording_ring_raw(cur->ring, from)), with_damaged, err);
}

int stream_ring_begin_at(struct stream *stream, u32 i, struct err *err)
{
	return begin_at(to_ring(stream), i, false, err);
}

u32 stream_ring_at(const struct stream *stream)
{
	return ((const struct ring_stream *)stream)->next - 1;
}

static void ring_end(struct stream *stream)
{
	struct ring_stream *cur = to_ring(stream);

	free(cur->data);
	cur->data = NULL;
}

/* Counts the events of sub-buffers that begin at @from or later. */
static u64 ring_count(const struct stream *stream, u64 from)
{
	const struct recording_ring *ring = ((const struct ring_stream *)stream)->ring;
	const struct ring_scan *scan = &ring->scan;
	u64 n = 0;
	u32 k;

	for (k = scan->nr_subs; k > 0; k--)
		if (recording_ring_mono(ring, scan->subs[k - 1].first) >= from)
			n += scan->subs[k - 1].nr_events;
	return n;
}

static void add_counts(struct stream_counts *n, u64 time, u64 from, u64 end, u64 nr)
{
	if (time < from)
		return;
	if (time <= end)
		n->before += nr;
	else
		n->after += nr;
}

/* Do all events of @sub count alike: before @from, from @from to @end, or after? */
static bool is_on_one_side(const struct recording_ring *ring, const struct scanned_subbuf *sub, u64 from, u64 end)
{
	u64 first = recording_ring_mono(ring, sub->first), last = recording_ring_mono(ring, sub->last);

	if ((sub->flags & SCAN_BACK) || sub->last > ~0ULL >> ring->recording->clock.shift)
		return false;
	return last < from || (first >= from && (last <= end || first > end));
}

static void tally_events(const struct recording_ring *ring, u32 i, void *data, u64 from, u64 end,
			 struct stream_counts *n)
{
	struct subbuf_cursor at;
	struct subbuf_event ev;
	struct subbuf sub;

	if (!ring_scan_load(&ring->scan, i, &sub, data, NULL))
		return;
	at = subbuf_begin(&sub);
	do {
		subbuf_next(&sub, data, &at, ring->scan.ids, &ev);
		if (ev.kind == SUBBUF_COMMITTED && !ev.is_silent)
			add_counts(n, recording_ring_mono(ring, ev.time), from, end, 1);
	} while (ev.kind != SUBBUF_END && ev.kind != SUBBUF_BROKEN);
}

/* Reads again only the sub-buffers that @from or @end cuts. */
static int ring_tally(const struct stream *stream, u64 from, u64 end, struct stream_counts *n,
		      struct err *err)
{
	const struct recording_ring *ring = ((const struct ring_stream *)stream)->ring;
	const struct ring_scan *scan = &ring->scan;
	void *data = malloc(scan->unit);
	u32 i;

	if (!data)
		return err_sys(err, "memory for a sub-buffer");
	for (i = first_subbuf(scan, recording_ring_raw(ring, from)); i < scan->nr_subs; i++) {
		const struct scanned_subbuf *sub = &scan->subs[i];

		if (sub->state != SUBBUF_GOOD)
			continue;
		if (is_on_one_side(ring, sub, from, end))
			add_counts(n, recording_ring_mono(ring, sub->last), from, end, sub->nr_events);
		else
			tally_events(ring, i, data, from, end, n);
	}
	free(data);
	return 0;
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
	.tally = ring_tally,
	.bound = ring_walk_bound,
	.real = ring_walk_real,
	.free = ring_free,
};

int stream_ring_new(struct stream **ret, const struct recording_ring *ring, struct err *err)
{
	struct ring_stream *cur = calloc(1, sizeof(*cur));

	if (!cur)
		return err_sys(err, "memory for a ring");
	cur->ring = ring;
	ring_walk_init(&cur->walk, &ring_ops, ring->recording, ring->channel->name, ring->cpu,
		       ring->scan.unit);
	if (ring->owner) {
		cur->walk.ids = ring->scan.ids;
		cur->walk.owner = ring->owner;
		cur->walk.stream.formats = ring->owner->formats;
		cur->walk.stream.program = ring->owner->program;
		cur->walk.stream.tgid = ring->owner->tgid;
	}
	*ret = &cur->walk.stream;
	return 0;
}
