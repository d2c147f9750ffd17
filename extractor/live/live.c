// SPDX-License-Identifier: GPL-2.0-or-later
#include "live.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ring_reader.h"

/* A round comes so long after the one before; less if a ring was nearly lapped, more if nothing came. */
#define PAUSE_LEAST	5000000ULL
#define PAUSE		50000000ULL
#define PAUSE_MOST	200000000ULL

/* An event is given when it is older than this: by then all CPUs' earlier ones can be read. */
#define MARGIN		2000000ULL

#define REFRESH		1000000000ULL	/* names, symbols, and how the clocks run */

struct moment {
	u32 cpu;
	u64 time;
	bool any;
};

/**
 * struct live - what is under way
 * @rings: nr_rings of them; the account's
 * @heap: those that stand at something, the earliest first
 * @from: events before it are not wanted; @end: nor those after it; in units of the rings
 * @limit: in this round, what is later has to wait
 * @last_raw, @last_time: of the newest that was given
 * @last: that one, and the newest of another CPU
 * @mark: the next one, if it is there: @has_mark; @next_mark: else its number
 * @quick: a ring was recycled by a quarter or more since the last round
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
	struct moment last[2];
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

static const struct item *head_of(const struct live_ring *ring)
{
	return &ring->walk.stream.head;
}

static bool is_before(const struct live_ring *a, const struct live_ring *b)
{
	if (head_of(a)->raw != head_of(b)->raw)
		return head_of(a)->raw < head_of(b)->raw;
	return a->walk.stream.rank < b->walk.stream.rank;
}

static void sift_down(struct live *l, u32 i)
{
	struct live_ring *cur = l->heap[i];
	u32 child;

	for (; (child = 2 * i + 1) < l->nr; i = child) {
		if (child + 1 < l->nr && is_before(l->heap[child + 1], l->heap[child]))
			child++;
		if (!is_before(l->heap[child], cur))
			break;
		l->heap[i] = l->heap[child];
	}
	l->heap[i] = cur;
}

static void push(struct live *l, struct live_ring *ring)
{
	u32 i = l->nr++, parent;

	ring->stands = true;
	for (; i && is_before(ring, l->heap[parent = (i - 1) / 2]); i = parent)
		l->heap[i] = l->heap[parent];
	l->heap[i] = ring;
}

/* What joined the region: looked at now and then, and when an event is of no known kind. */
static int refresh(struct live *l)
{
	l->refreshed = l->now;
	task_names_ask_again(l->pm->tasks);
	return recording_more(l->recording, l->err);
}

/* On to the next event of a ring that stands at none.  1: there is one; 0; or an error. */
static int pull(struct live *l, struct live_ring *ring)
{
	enum live_state state = live_ring_next(ring, l->now);
	int ret;

	if (state == LIVE_STRANGE) {
		ret = refresh(l);
		if (ret)
			return ret;
		state = live_ring_next(ring, l->now);
	}
	if ((state == LIVE_BLOCKED || state == LIVE_STRANGE) && ring->proof.at.time < l->limit)
		l->limit = ring->proof.at.time;
	return state == LIVE_HEAD;
}

static bool is_near(const struct moment *m, const struct item *now)
{
	u64 apart = m->time > now->time ? m->time - now->time : now->time - m->time;

	return m->any && m->cpu != now->cpu && apart <= now->stream->doubt;
}

static bool head_is_near(const struct live *l, u32 i, const struct item *now)
{
	struct moment m;

	if (i >= l->nr)
		return false;
	m = (struct moment){ head_of(l->heap[i])->cpu, head_of(l->heap[i])->time, true };
	return is_near(&m, now);
}

/* Later anchors make a time a little less than the one of an earlier event; the rings know better. */
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
	if (is_near(&l->last[0], now) || is_near(&l->last[1], now) ||
	    head_is_near(l, 1, now) || head_is_near(l, 2, now))
		now->marks |= ITEM_UNCERTAIN;
	if (l->last[0].any && l->last[0].cpu != now->cpu)
		l->last[1] = l->last[0];
	l->last[0] = (struct moment){ now->cpu, now->time, true };
}

/* Of what is not wanted, what was lost before it is told all the same. */
static int give(struct live *l, struct item *now)
{
	if (now->kind == ITEM_EVENT) {
		set_order(l, now);
		timeline_name(l->pm->tasks, now);
	}
	if (now->raw >= l->from && now->raw <= l->end && window_wants(l->request->window, now)) {
		l->counts->events += now->kind == ITEM_EVENT;
		return l->sink->item(l->sink->priv, now, l->err);
	}
	if (!(now->marks & (ITEM_LOST_BEFORE | ITEM_LAPPED)) || now->raw < l->from)
		return 0;
	now->kind = ITEM_LOSS;
	return l->sink->item(l->sink->priv, now, l->err);
}

/* The recorder's marks up to @raw. */
static int give_marks(struct live *l, u64 raw)
{
	int ret = 0;

	while (!ret) {
		if (!l->has_mark)
			l->has_mark = recording_read_mark(l->recording, l->next_mark, &l->mark);
		if (!l->has_mark || l->mark.clock >> l->recording->clock.shift > raw)
			return 0;
		l->has_mark = false;
		l->next_mark = l->mark.seq + 1;
		if (l->sink->mark)
			ret = l->sink->mark(l->sink->priv, &l->mark, l->err);
	}
	return ret;
}

static int give_first(struct live *l)
{
	struct live_ring *ring = l->heap[0];
	int ret = give_marks(l, head_of(ring)->raw);

	if (!ret)
		ret = give(l, &ring->walk.stream.head);
	if (ret)
		return ret;
	ret = pull(l, ring);
	if (ret < 0)
		return ret;
	ring->stands = ret;
	if (!ret)
		l->heap[0] = l->heap[--l->nr];
	if (l->nr)
		sift_down(l, 0);
	return 0;
}

static bool may_go(const struct live *l, const struct live_ring *ring)
{
	return head_of(ring)->raw <= l->limit || l->now - ring->filled > LIVE_PATIENCE;
}

/* Rings that stood at nothing are asked again, before anything is given. */
static int ask_rings(struct live *l)
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
		ret = pull(l, ring);
		if (ret < 0)
			return ret;
		if (ret)
			push(l, ring);
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

	return MARGIN + clock->bound_ns + clock_units_ns(clock, clock_doubt(clock));
}

static int follow_round(struct live *l)
{
	int ret = 0;

	l->now = live_now();
	if (l->now - l->refreshed > REFRESH)
		ret = refresh(l);
	l->limit = raw_at(l, older(l->now, margin(l)));
	if (!ret)
		ret = ask_rings(l);
	/* What waits may be much: who ends it does not wait for it. */
	while (!ret && l->nr && !*l->request->stop && may_go(l, l->heap[0]))
		ret = give_first(l);
	if (!ret)
		ret = give_marks(l, l->limit);
	return ret ? ret : l->sink->flush(l->sink->priv, l->err);
}

static u64 next_pause(const struct live *l, u64 pause, u64 given)
{
	if (l->quick)
		return pause / 2 > PAUSE_LEAST ? pause / 2 : PAUSE_LEAST;
	if (given)
		return PAUSE;
	return pause * 2 < PAUSE_MOST ? pause * 2 : PAUSE_MOST;
}

static bool is_over(const struct live *l, u64 begin)
{
	return l->request->for_ns && live_now() - begin >= l->request->for_ns + margin(l);
}

static int follow(struct live *l, u64 begin)
{
	u64 pause = PAUSE, before;
	bool done = false;
	int ret = 0;

	while (!ret && !done) {
		done = *l->request->stop || is_over(l, begin);
		before = l->counts->events;
		ret = follow_round(l);
		pause = next_pause(l, pause, l->counts->events - before);
		if (!ret && !done && !l->request->wait(pause))
			break;
	}
	return ret;
}

static int add_ring(struct live *l, const struct recording_ring *from)
{
	struct live_place place = {
		.off = from->sec->off, .size = from->scan.size, .unit = from->scan.unit,
		.cpu = from->cpu,
	};
	struct live_ring *ring = NULL;
	int ret;

	strcpy(place.channel, from->channel->name);
	ret = live_ring_new(&ring, l->recording, &place, l->err);
	if (ret)
		return ret;
	ring->walk.stream.rank = l->pm->nr_streams;
	ret = pm_add_stream(l->pm, &ring->walk.stream, l->err);
	if (!ret)
		l->rings[l->nr_rings++] = ring;
	return ret;
}

static int add_rings(struct live *l)
{
	u32 i, n = l->recording->nr_rings;
	int ret = 0;

	l->rings = calloc(n ? n : 1, sizeof(*l->rings));
	l->heap = calloc(n ? n : 1, sizeof(*l->heap));
	if (!l->rings || !l->heap)
		return err_sys(l->err, "memory for %u rings", n);
	/* Nothing is recorded into a copy. */
	for (i = 0; i < n && !ret; i++)
		if (!l->recording->rings[i].channel->is_copy)
			ret = add_ring(l, &l->recording->rings[i]);
	return ret;
}

static void begin(struct live *l, u64 now)
{
	u64 end = l->request->for_ns ? now + l->request->for_ns : 0;
	u32 i;

	l->from = raw_at(l, older(now, l->request->last_ns));
	l->end = end ? raw_at(l, end) : ~0ULL;
	l->next_mark = 1;
	for (i = 0; i < l->recording->nr_marks; i++)
		if (l->recording->marks[i].seq >= l->next_mark)
			l->next_mark = l->recording->marks[i].seq + 1;
	for (i = 0; i < l->nr_rings; i++)
		live_ring_begin(l->rings[i], l->from);
}

static void add_up(const struct live *l)
{
	u32 i;

	for (i = 0; i < l->nr_rings; i++) {
		const struct live_counts *of = &l->rings[i]->counts;

		l->counts->laps += of->laps;
		l->counts->lapped += of->lapped;
		l->counts->lost += of->lost;
		l->counts->damaged += of->damaged;
		l->counts->torn += of->torn;
	}
}

int live_follow(struct postmortem *pm, const struct live_request *request,
		const struct live_sink *sink, struct live_counts *counts, struct err *err)
{
	struct live l = {
		.pm = pm, .recording = pm->recording, .request = request, .sink = sink,
		.counts = counts, .err = err,
	};
	u64 now = live_now();
	int ret = add_rings(&l);

	*counts = (struct live_counts){ 0 };
	pm->tasks = pm->recording->tasks;
	if (!ret && sink->begin)
		ret = sink->begin(sink->priv, err);
	if (!ret) {
		begin(&l, now);
		ret = follow(&l, now);
	}
	add_up(&l);
	free(l.rings);
	free(l.heap);
	return ret;
}
