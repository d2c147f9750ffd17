// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeline.h"

#include <stdlib.h>

#include "base/byte_reader.h"
#include "event/field_layout.h"

struct moment {
	u32 cpu;
	u64 time;
	bool any;
};

/*
 * What times of one clock are worth.
 * @stream: one that has it; NULL: none
 * @doubt: the largest of its streams
 * @bound: how far they may be off to other clocks, at the event that is looked at
 * @last: its newest event given, and the newest of another CPU than that one's
 */
struct times {
	const struct stream *stream;
	u64 doubt;
	u64 bound;
	struct moment last[2];
};

/*
 * @heap: streams that stand at something, the earliest first
 * @nr_begun: of the account's streams
 * @given: the first of the heap was the last one given
 * @next_extra: in account->extras; @extra is the one given
 * @clocks: by enum stream_clock; nr_clocks of them have streams
 */
struct timeline {
	struct postmortem *pm;
	struct stream **heap;
	u32 nr;
	u32 nr_begun;
	u32 next_extra;
	struct item extra;
	bool given;
	struct times clocks[STREAM_NR_CLOCKS];
	u32 nr_clocks;
};

static bool is_before(const struct stream *a, const struct stream *b)
{
	if (a->head.time != b->head.time)
		return a->head.time < b->head.time;
	return a->rank < b->rank;
}

static void sift_down(struct timeline *tl, u32 i)
{
	struct stream *cur = tl->heap[i];
	u32 child;

	for (; (child = 2 * i + 1) < tl->nr; i = child) {
		if (child + 1 < tl->nr && is_before(tl->heap[child + 1], tl->heap[child]))
			child++;
		if (!is_before(tl->heap[child], cur))
			break;
		tl->heap[i] = tl->heap[child];
	}
	tl->heap[i] = cur;
}

static void know_clock(struct timeline *tl, const struct stream *stream)
{
	struct times *clock = &tl->clocks[stream->clock];

	tl->nr_clocks += !clock->stream;
	clock->stream = stream;
	if (stream->doubt > clock->doubt)
		clock->doubt = stream->doubt;
}

static int begin(struct timeline *tl, u64 from, bool with_damaged, struct err *err)
{
	const struct postmortem *pm = tl->pm;
	int ret;
	u32 i;

	for (i = 0; i < pm->nr_streams; i++) {
		struct stream *stream = pm->streams[i];

		ret = stream->ops->begin(stream, from, with_damaged, err);
		tl->nr_begun++;
		if (ret)
			return ret;
		stream->rank = i;
		know_clock(tl, stream);
		if (stream->ops->next(stream))
			tl->heap[tl->nr++] = stream;
	}
	for (i = tl->nr / 2; i > 0; i--)
		sift_down(tl, i - 1);
	return 0;
}

static void begin_extras(struct timeline *tl, u64 from)
{
	const struct aux_events *extras = &tl->pm->aux_events;

	while (tl->next_extra < extras->nr && extras->list[tl->next_extra].time < from)
		tl->next_extra++;
}

int timeline_open(struct timeline **ret_tl, struct postmortem *pm, u64 from,
		  bool with_damaged, struct err *err)
{
	struct timeline *tl = calloc(1, sizeof(*tl));
	u32 n = pm->nr_streams ? pm->nr_streams : 1;
	int ret;

	if (!tl)
		return err_sys(err, "memory");
	tl->pm = pm;
	tl->heap = calloc(n, sizeof(*tl->heap));
	task_names_reset(pm->tasks);
	begin_extras(tl, from);
	ret = tl->heap ? begin(tl, from, with_damaged, err) :
			 err_sys(err, "memory for %u streams", n);
	if (ret) {
		timeline_close(tl);
		return ret;
	}
	*ret_tl = tl;
	return 0;
}

void timeline_close(struct timeline *tl)
{
	u32 i;

	if (!tl)
		return;
	for (i = 0; i < tl->nr_begun; i++)
		tl->pm->streams[i]->ops->end(tl->pm->streams[i]);
	free(tl->heap);
	free(tl);
}

/* Of two clocks, what each may be off counts as well. */
static u64 doubt_of(const struct timeline *tl, u32 clock, u32 other)
{
	const struct times *a = &tl->clocks[clock], *b = &tl->clocks[other];

	return clock == other ? a->doubt : a->doubt + b->doubt + a->bound + b->bound;
}

static bool is_near(u64 a, u64 b, u64 doubt)
{
	return (a > b ? a - b : b - a) <= doubt;
}

/* Does another CPU or clock stand at a time that cannot be told from that of @now?  @most: any doubt */
static bool others_near(const struct timeline *tl, const struct item *now, u64 most, u32 i)
{
	const struct item *item;
	u32 clock = now->stream->clock, other;

	if (i >= tl->nr)
		return false;
	item = &tl->heap[i]->head;
	other = tl->heap[i]->clock;
	if (!is_near(item->time, now->time, most))
		return false;
	if (item->kind == ITEM_EVENT && (item->cpu != now->cpu || other != clock) &&
	    is_near(item->time, now->time, doubt_of(tl, clock, other)))
		return true;
	return others_near(tl, now, most, 2 * i + 1) || others_near(tl, now, most, 2 * i + 2);
}

/* The same of those given before. */
static bool last_near(const struct timeline *tl, const struct item *now, u32 other)
{
	const struct moment *last = tl->clocks[other].last;

	if (other == now->stream->clock && last[0].cpu == now->cpu)
		last++;
	return last->any && is_near(last->time, now->time, doubt_of(tl, now->stream->clock, other));
}

/* How far each clock may be off at @time.  Return: the largest doubt there is */
static u64 measure(struct timeline *tl, u64 time)
{
	u64 most = 0;
	u32 i;

	for (i = 0; i < STREAM_NR_CLOCKS; i++) {
		struct times *clock = &tl->clocks[i];

		if (!clock->stream)
			continue;
		clock->bound = clock->stream->ops->bound ? clock->stream->ops->bound(clock->stream, time) : 0;
		if (clock->doubt + clock->bound > most)
			most = clock->doubt + clock->bound;
	}
	return 2 * most;
}

static bool is_uncertain(struct timeline *tl, const struct item *now)
{
	u32 clock = now->stream->clock, i;
	u64 most = tl->clocks[clock].doubt;

	if (now->stream->is_unsure || last_near(tl, now, clock))
		return true;
	if (tl->nr_clocks > 1) {
		most = measure(tl, now->time);
		for (i = 0; i < STREAM_NR_CLOCKS; i++)
			if (i != clock && last_near(tl, now, i))
				return true;
	}
	return others_near(tl, now, most, 0);
}

static void mark_order(struct timeline *tl, struct item *now)
{
	struct moment *last = tl->clocks[now->stream->clock].last;

	if (is_uncertain(tl, now))
		now->marks |= ITEM_UNCERTAIN;
	if (last[0].any && last[0].cpu != now->cpu)
		last[1] = last[0];
	last[0] = (struct moment){ now->cpu, now->time, true };
}

/* A text of the event: in place, or where a dynamic field points. */
static void learn_comm(struct task_names *tasks, const struct item *item,
		       const struct format_comm *pair)
{
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);
	s64 pid = format_number(pair->pid, &payload);
	u64 off = pair->comm->offset - FORMATS_COMMON;
	u64 size = pair->comm->size;

	if (pair->comm->offset < FORMATS_COMMON || pid <= 0)
		return;
	if ((pair->comm->flags & TEP_FIELD_IS_DYNAMIC) &&
	    !field_layout_place(pair->comm, &payload, FORMATS_COMMON, &off, &size))
		return;
	if (bytes_has(&payload, off, size) && size)
		task_names_set(tasks, pid, (const char *)payload.data + off, size);
}

void timeline_name(struct task_names *tasks, struct item *item)
{
	const struct format *format = formats_get(item->stream->formats, item->id);
	u32 i;

	for (i = 0; i < format->nr_comms; i++)
		learn_comm(tasks, item, &format->comms[i]);
	if (item->pid >= 0 && !item->comm)
		item->comm = task_names_comm(tasks, item->pid);
}

/* Is an extra next?  Of the same time, it goes before. */
static bool is_extra(const struct timeline *tl)
{
	const struct aux_events *extras = &tl->pm->aux_events;

	return tl->next_extra < extras->nr &&
	       (!tl->nr || extras->list[tl->next_extra].time <= tl->heap[0]->head.time);
}

/* A task that a line of the log tells the number of alone: by events, as the kernel kept it, as it died. */
static const char *comm_of(const struct postmortem *pm, s64 pid)
{
	const struct postmortem_end *end = &pm->end;
	const char *comm = pid >= 0 ? task_names_comm(pm->tasks, pid) : NULL;

	if (!comm && pm->ftrace)
		comm = ftrace_comms_find(&pm->ftrace->comms, pid);
	if (!comm && pid >= 0 && pid == end->pid && *end->comm)
		comm = end->comm;
	return comm;
}

void timeline_aux(struct item *item, const struct postmortem *pm, const struct aux_event *aux)
{
	*item = (struct item){
		.kind = ITEM_EXTRA, .extra = aux, .time = aux->time,
		.cpu = aux->cpu, .pid = aux->pid,
		.comm = aux->comm ? aux->comm : comm_of(pm, aux->pid), .flags = ITEM_NO_FLAGS,
		.marks = aux->nr_lost ? ITEM_LOST_BEFORE | ITEM_LOST_COUNTED : 0,
		.nr_lost = aux->nr_lost,
	};
}

static const struct item *give_extra(struct timeline *tl)
{
	timeline_aux(&tl->extra, tl->pm, &tl->pm->aux_events.list[tl->next_extra++]);
	return &tl->extra;
}

const struct item *timeline_next(struct timeline *tl)
{
	struct item *now;

	if (tl->given && tl->nr) {
		if (!tl->heap[0]->ops->next(tl->heap[0]))
			tl->heap[0] = tl->heap[--tl->nr];
		if (tl->nr)
			sift_down(tl, 0);
	}
	tl->given = false;
	if (is_extra(tl))
		return give_extra(tl);
	if (!tl->nr)
		return NULL;
	tl->given = true;
	now = &tl->heap[0]->head;
	if (now->kind == ITEM_EVENT) {
		mark_order(tl, now);
		timeline_name(tl->pm->tasks, now);
	}
	return now;
}
