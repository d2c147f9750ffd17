// SPDX-License-Identifier: GPL-2.0-or-later
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ring_reader.h"

/* The pause between two rounds: shorter if a ring was nearly lapped, longer if nothing came. */
#define PAUSE_LEAST	5000000ULL
#define PAUSE		50000000ULL
#define PAUSE_MOST	200000000ULL

/* An event is given when it is older than this: by then the earlier events of all CPUs are there. */
#define MARGIN		2000000ULL

#define REFRESH		1000000000ULL	/* between two reads of names, symbols and clock anchors */

/*
 * The state of live_follow().
 * @rings: nr_rings of them, owned by @pm
 * @heap: nr rings with a current event, the earliest first
 * @from: the first wanted time, in units of the rings; @end: the last one
 * @limit: events after this time wait for the next round
 * @last_raw, @last_time: of the newest given event
 * @last: for timeline_note_last()
 * @most_skew: of the events that rings have stood at
 * @mark: the next mark, if @has_mark; otherwise @next_mark is its number
 * @quick: writers recycled a quarter or more of a ring since the last round
 */
struct live {
	struct postmortem *pm;
	struct recording *recording;
	const struct live_request *request;
	const struct live_sink *sink;
	struct live_counts *counts;
	struct live_ring **rings;
	u32 nr_rings;
	struct live_ring **heap;
	u32 nr;
	u64 from;
	u64 end;
	u64 limit;
	u64 now;
	u64 refreshed;
	u64 last_raw;
	u64 last_time;
	struct last_event last[2];
	u64 most_skew;
	struct recording_mark mark;
	bool has_mark;
	u64 next_mark;
	bool quick;
	struct err *err;
};

u64 live_now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static u64 raw_at(const struct live *l, u64 mono_ns)
{
	return clock_of_mono(&l->recording->clock, mono_ns) >> l->recording->clock.shift;
}

static const struct item *ring_item(const struct live_ring *ring)
{
	return &ring->walk.stream.head;
}

static bool ring_is_before(const struct live_ring *a, const struct live_ring *b)
{
	if (ring_item(a)->raw != ring_item(b)->raw)
		return ring_item(a)->raw < ring_item(b)->raw;
	return a->walk.stream.rank < b->walk.stream.rank;
}

static void ring_heap_sift_down(struct live *l, u32 i)
{
	struct live_ring *cur = l->heap[i];
	u32 child;

	for (; (child = 2 * i + 1) < l->nr; i = child) {
		if (child + 1 < l->nr && ring_is_before(l->heap[child + 1], l->heap[child]))
			child++;
		if (!ring_is_before(l->heap[child], cur))
			break;
		l->heap[i] = l->heap[child];
	}
	l->heap[i] = cur;
}

static void ring_heap_push(struct live *l, struct live_ring *ring)
{
	u32 i = l->nr++, parent;

	ring->stands = true;
	for (; i && ring_is_before(ring, l->heap[parent = (i - 1) / 2]); i = parent)
		l->heap[i] = l->heap[parent];
	l->heap[i] = ring;
}

/* Reads what has joined the region: regularly, and when an event is of an unknown kind. */
static int refresh(struct live *l)
{
	l->refreshed = l->now;
	task_names_ask_again(l->pm->tasks);
	return recording_more(l->recording, l->err);
}

static u64 on_reference(const struct live *l, const struct live_ring *ring, u64 time)
{
	const struct clock *clock = &l->recording->clock;

	return clock_on_reference(clock, ring->place.cpu, clock_of_time(clock, time)) >> clock->shift;
}

/* Goes on to the next event of a ring. 1: it has one; 0: none yet; or an error. */
static int pull_event(struct live *l, struct live_ring *ring)
{
	enum live_state state = live_ring_next(ring, l->now);
	int ret;

	if (state == LIVE_STRANGE) {
		ret = refresh(l);
		if (ret)
			return ret;
		state = live_ring_next(ring, l->now);
	}
	if (state == LIVE_BLOCKED || state == LIVE_STRANGE) {
		u64 time = on_reference(l, ring, ring->proof.at.time);

		if (time < l->limit)
			l->limit = time;
	}
	if (state == LIVE_HEAD && ring_item(ring)->skew > l->most_skew)
		l->most_skew = ring_item(ring)->skew;
	return state == LIVE_HEAD;
}

static bool is_near_in_time(u64 time, u64 skew, const struct item *now)
{
	u64 apart = time > now->time ? time - now->time : now->time - time;

	return apart <= now->stream->doubt + skew + now->skew;
}

static bool given_is_near(const struct live *l, const struct item *now)
{
	const struct last_event *last = l->last[0].cpu == now->cpu ? &l->last[1] : &l->last[0];

	return last->any && is_near_in_time(last->time, last->skew, now);
}

/* Is there an event of another CPU in the heap from @i down that may be older than @now? */
static bool head_is_near(const struct live *l, u32 i, const struct item *now)
{
	const struct item *item;

	if (i >= l->nr)
		return false;
	item = ring_item(l->heap[i]);
	if (!is_near_in_time(item->time, l->most_skew, now))
		return false;
	return (item->cpu != now->cpu && is_near_in_time(item->time, item->skew, now)) ||
	       head_is_near(l, 2 * i + 1, now) || head_is_near(l, 2 * i + 2, now);
}

/*
 * Sets the marks of the order. With a later anchor an event may get a time a little before that
 * of its predecessor; the order of the rings is right.
 */
static void set_order(struct live *l, struct item *now)
{
	if (now->raw < l->last_raw) {
		now->marks |= ITEM_LATE;
		l->counts->late++;
		return;
	}
	l->last_raw = now->raw;
	if (now->time < l->last_time)
		now->time = l->last_time;
	l->last_time = now->time;
	if (given_is_near(l, now) || head_is_near(l, 0, now))
		now->marks |= ITEM_UNCERTAIN;
	timeline_note_last(l->last, now);
}

/* Gives an event to the sink. Losses before one that is not wanted are given as well, if they may be of one that is. */
static int give_item(struct live *l, struct item *now)
{
	struct item loss;

	if (now->kind == ITEM_EVENT) {
		set_order(l, now);
		timeline_name(l->pm->tasks, now);
	}
	if (now->raw >= l->from && now->raw <= l->end && window_wants(l->request->window, now)) {
		l->counts->events += now->kind == ITEM_EVENT;
		return l->sink->item(l->sink->priv, now, l->err);
	}
	if (now->raw < l->from || !window_loss(l->request->window, now, &loss))
		return 0;
	return l->sink->item(l->sink->priv, &loss, l->err);
}

/* Gives the marks of the recorder up to @raw. */
static int give_marks(struct live *l, u64 raw)
{
	struct item item;
	int ret = 0;

	while (!ret) {
		if (!l->has_mark)
			l->has_mark = recording_read_mark(l->recording, l->next_mark, &l->mark);
		if (!l->has_mark || l->mark.clock >> l->recording->clock.shift > raw)
			return 0;
		l->has_mark = false;
		l->next_mark = l->mark.seq + 1;
		item = timeline_mark(l->recording, &l->mark);
		ret = l->sink->item(l->sink->priv, &item, l->err);
	}
	return ret;
}

static int give_first(struct live *l)
{
	struct live_ring *ring = l->heap[0];
	int ret = give_marks(l, ring_item(ring)->raw);

	if (!ret)
		ret = give_item(l, &ring->walk.stream.head);
	if (ret)
		return ret;
	ret = pull_event(l, ring);
	if (ret < 0)
		return ret;
	ring->stands = ret;
	if (!ret)
		l->heap[0] = l->heap[--l->nr];
	if (l->nr)
		ring_heap_sift_down(l, 0);
	return 0;
}

/* Reads the rings without a current event, before anything is given. */
static int poll_rings(struct live *l)
{
	u64 before;
	u32 i;
	int ret;

	l->quick = false;
	for (i = 0; i < l->nr_rings; i++) {
		struct live_ring *ring = l->rings[i];

		if (ring->stands)
			continue;
		before = ring->seq;
		ret = pull_event(l, ring);
		if (ret < 0)
			return ret;
		if (ret)
			ring_heap_push(l, ring);
		l->quick |= before && (ring->seq - before) * 4 > ring->place.size / ring->place.unit;
	}
	return 0;
}

static u64 older(u64 now, u64 ns)
{
	return now > ns ? now - ns : 0;
}

static u64 margin(const struct live *l)
{
	const struct clock *clock = &l->recording->clock;

	return MARGIN + clock->bound_ns + clock_units_ns(clock, clock_doubt(clock)) +
	       clock_skew_now(clock);
}

static int follow_round(struct live *l)
{
	const struct item *first;
	int ret = 0;

	l->now = live_now();
	if (l->now - l->refreshed > REFRESH)
		ret = refresh(l);
	l->limit = raw_at(l, older(l->now, margin(l)));
	if (!ret)
		ret = poll_rings(l);
	/* Many events may wait: @stop ends this at once. */
	while (!ret && l->nr && !*l->request->stop) {
		first = ring_item(l->heap[0]);
		if (first->raw > l->limit && l->now - l->heap[0]->filled <= LIVE_PATIENCE)
			break;
		ret = give_first(l);
	}
	if (!ret)
		ret = give_marks(l, l->limit);
	return ret ? ret : l->sink->flush(l->sink->priv, l->err);
}

static int follow_rings(struct live *l, u64 begin)
{
	u64 pause = PAUSE, before, for_ns = l->request->for_ns;
	bool done = false;
	int ret = 0;

	while (!ret && !done) {
		done = *l->request->stop || (for_ns && live_now() - begin >= for_ns + margin(l));
		before = l->counts->events;
		ret = follow_round(l);
		if (l->quick)
			pause = pause / 2 > PAUSE_LEAST ? pause / 2 : PAUSE_LEAST;
		else if (l->counts->events > before)
			pause = PAUSE;
		else
			pause = pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
		if (!ret && !done && !l->request->wait(pause))
			break;
	}
	return ret;
}

static int add_live_rings(struct live *l)
{
	u32 i, n = l->recording->nr_rings;
	int ret = 0;

	l->rings = calloc(n ? n : 1, sizeof(*l->rings));
	l->heap = calloc(n ? n : 1, sizeof(*l->heap));
	if (!l->rings || !l->heap)
		return err_sys(l->err, "memory for %u rings", n);
	for (i = 0; i < n && !ret; i++) {
		const struct recording_ring *from = &l->recording->rings[i];
		struct live_place place = {
			.off = from->sec->off, .size = from->scan.size, .unit = from->scan.unit,
			.cpu = from->cpu, .is_added = from->channel->is_added,
			.id = from->channel->id, .index = from->sec->index,
		};
		struct live_ring *ring = NULL;

		/* Nothing is recorded into a copy, and programs' rings are not followed. */
		if (from->channel->is_copy || from->owner)
			continue;
		strcpy(place.channel, from->channel->name);
		/* It has been removed meanwhile. */
		if (place.is_added && !live_place_find(&place, l->recording->generation, 0))
			continue;
		ret = live_ring_new(&ring, l->recording, &place, l->err);
		if (ret)
			break;
		ring->walk.stream.rank = l->pm->nr_streams;
		ret = pm_add_stream(l->pm, &ring->walk.stream, l->err);
		if (!ret)
			l->rings[l->nr_rings++] = ring;
	}
	return ret;
}

/* Can an event of that ring be wanted? */
static bool ring_is_wanted(const struct live *l, const struct live_ring *ring)
{
	const struct item item = { .kind = ITEM_LOSS, .cpu = ring->place.cpu, .stream = &ring->walk.stream };

	return window_wants(l->request->window, &item);
}

int live_follow(struct postmortem *pm, const struct live_request *request,
		const struct live_sink *sink, struct live_counts *counts, struct err *err)
{
	struct live l = {
		.pm = pm, .recording = pm->recording, .request = request, .sink = sink,
		.counts = counts, .err = err,
	};
	u64 now = live_now();
	int ret = add_live_rings(&l);
	const struct recording_mark *mark;
	u32 i;

	*counts = (struct live_counts){ 0 };
	pm->tasks = pm->recording->tasks;
	if (!ret && sink->begin)
		ret = sink->begin(sink->priv, err);
	if (!ret) {
		l.from = raw_at(&l, older(now, request->last_ns));
		l.end = request->for_ns ? raw_at(&l, now + request->for_ns) : ~0ULL;
		l.next_mark = 1;
		for (i = 0, mark = l.recording->marks; i < l.recording->nr_marks; i++, mark++)
			if (mark->seq >= l.next_mark)
				l.next_mark = mark->seq + 1;
		for (i = 0; i < l.nr_rings; i++)
			live_ring_begin(l.rings[i], clock_time_on_cpu(&l.recording->clock,
								      l.rings[i]->place.cpu, l.from));
		ret = follow_rings(&l, now);
	}
	for (i = 0; i < l.nr_rings; i++) {
		const struct live_counts *of = &l.rings[i]->counts;

		if (!ring_is_wanted(&l, l.rings[i]))
			continue;
		counts->laps += of->laps;
		counts->lapped += of->lapped;
		counts->lost += of->lost;
		counts->damaged += of->damaged;
		counts->torn += of->torn;
	}
	free(l.rings);
	free(l.heap);
	return ret;
}
