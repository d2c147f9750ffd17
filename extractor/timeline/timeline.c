// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeline.h"

#include <stdlib.h>

#include "base/byte_reader.h"
#include "event/field_layout.h"

/*
 * How exact the times of one clock are.
 * @stream: a stream with this clock; NULL: there is none
 * @doubt: the largest doubt of its streams
 * @bound: how far it may be off other clocks at the event that is looked at
 * @last: of its events given, the CPU with the latest, and another CPU
 */
struct clock_doubt {
	const struct stream *stream;
	u64 doubt;
	u64 bound;
	struct last_event last[2];
};

/*
 * @heap: streams that have an event, the earliest first
 * @most_skew: of the events that streams have stood at
 * @nr_begun: streams of the postmortem that have to be ended
 * @given: the last item was that of heap[0]
 * @next_aux: in pm->aux_events
 * @next_mark: in pm->recording->marks
 * @has_crash: the crash is still to be given
 * @quiet_until: there is no mark and no crash before this time
 * @beside: the last item that came out of no stream
 * @clocks: by enum stream_clock; nr_clocks of them have streams
 */
struct timeline {
	struct postmortem *pm;
	struct stream **heap;
	u32 nr;
	u64 most_skew;
	u32 nr_begun;
	u32 next_aux;
	u32 next_mark;
	bool has_crash;
	u64 quiet_until;
	struct item beside;
	bool given;
	struct clock_doubt clocks[STREAM_NR_CLOCKS];
	u32 nr_clocks;
};

static bool is_earlier_stream(const struct stream *a, const struct stream *b)
{
	if (a->head.time != b->head.time)
		return a->head.time < b->head.time;
	return a->rank < b->rank;
}

static void sift_down_stream(struct timeline *tl, u32 i)
{
	struct stream *cur = tl->heap[i];
	u32 child;

	for (; (child = 2 * i + 1) < tl->nr; i = child) {
		if (child + 1 < tl->nr && is_earlier_stream(tl->heap[child + 1], tl->heap[child]))
			child++;
		if (!is_earlier_stream(tl->heap[child], cur))
			break;
		tl->heap[i] = tl->heap[child];
	}
	tl->heap[i] = cur;
}

/* It stands at its first item that is shown.  False: there is none. */
static bool begin_items(struct stream *stream, u64 from)
{
	u64 left = stream->skip;

	while (stream->ops->next(stream)) {
		if (!left)
			return true;
		left -= stream->head.kind == ITEM_EVENT && stream->head.time >= from;
	}
	return false;
}

static void note_skew(struct timeline *tl, const struct stream *stream)
{
	if (stream->head.skew > tl->most_skew)
		tl->most_skew = stream->head.skew;
}

static int begin_streams(struct timeline *tl, u64 from, bool with_damaged, struct err *err)
{
	const struct postmortem *pm = tl->pm;
	u32 i;

	for (i = 0; i < pm->nr_streams; i++) {
		struct stream *stream = pm->streams[i];
		struct clock_doubt *clock = &tl->clocks[stream->clock];
		int ret = stream->ops->begin(stream, from, with_damaged, err);

		tl->nr_begun++;
		if (ret)
			return ret;
		stream->rank = i;
		tl->nr_clocks += !clock->stream;
		clock->stream = stream;
		if (stream->doubt > clock->doubt)
			clock->doubt = stream->doubt;
		if (begin_items(stream, from)) {
			tl->heap[tl->nr++] = stream;
			note_skew(tl, stream);
		}
	}
	for (i = tl->nr / 2; i > 0; i--)
		sift_down_stream(tl, i - 1);
	return 0;
}

/* The time of the next mark; ~0: there is none. An isolated buffer has no time in common with it. */
static u64 next_mark_time(const struct timeline *tl)
{
	const struct recording *recording = tl->pm->isolated_buffer ? NULL : tl->pm->recording;

	return recording && tl->next_mark < recording->nr_marks ?
	       clock_mono(&recording->clock, recording->marks[tl->next_mark].clock) : ~0ULL;
}

static void update_quiet(struct timeline *tl)
{
	u64 mark = next_mark_time(tl);

	tl->quiet_until = tl->has_crash && tl->pm->end.time < mark ? tl->pm->end.time : mark;
}

int timeline_open_aux(struct timeline **ret, struct postmortem *pm, u64 from, struct err *err)
{
	struct timeline *tl = calloc(1, sizeof(*tl));

	if (!tl)
		return err_sys(err, "memory");
	tl->pm = pm;
	while (tl->next_aux < pm->aux_events.nr && pm->aux_events.list[tl->next_aux].time < from)
		tl->next_aux++;
	while (next_mark_time(tl) < from)
		tl->next_mark++;
	tl->has_crash = pm->end.how == OUTCOME_CRASHED;
	update_quiet(tl);
	*ret = tl;
	return 0;
}

int timeline_open(struct timeline **ret_tl, struct postmortem *pm, u64 from,
		  bool with_damaged, struct err *err)
{
	u32 n = pm->nr_streams ? pm->nr_streams : 1;
	struct timeline *tl = NULL;
	int ret = timeline_open_aux(&tl, pm, from, err);

	if (ret)
		return ret;
	tl->heap = calloc(n, sizeof(*tl->heap));
	task_names_reset(pm->tasks);
	ret = tl->heap ? begin_streams(tl, from, with_damaged, err) :
			 err_sys(err, "memory for %u streams", n);
	if (ret) {
		timeline_close(tl);
		return ret;
	}
	*ret_tl = tl;
	return 0;
}

void timeline_drop_events(struct timeline *tl)
{
	tl->nr = 0;
	tl->next_aux = tl->pm->aux_events.nr;
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

/* How many ns two events may be apart whose order is uncertain; two clocks add their doubts. */
static u64 doubt_between(const struct timeline *tl, u32 clock, u32 other)
{
	const struct clock_doubt *a = &tl->clocks[clock], *b = &tl->clocks[other];

	return clock == other ? a->doubt : a->doubt + b->doubt + a->bound + b->bound;
}

static bool is_within(u64 a, u64 b, u64 doubt)
{
	return (a > b ? a - b : b - a) <= doubt;
}

/*
 * Is there an event of another CPU or clock in the heap from @i down that may be older than @now?
 * @most: no doubt is larger
 */
static bool next_is_near(const struct timeline *tl, const struct item *now, u64 most, u32 i)
{
	const struct item *item;
	u32 clock = now->stream->clock, other;

	if (i >= tl->nr)
		return false;
	item = &tl->heap[i]->head;
	other = tl->heap[i]->clock;
	if (!is_within(item->time, now->time, most + now->skew + tl->most_skew))
		return false;
	if (item->kind == ITEM_EVENT && (item->cpu != now->cpu || other != clock) &&
	    is_within(item->time, now->time, doubt_between(tl, clock, other) + now->skew + item->skew))
		return true;
	return next_is_near(tl, now, most, 2 * i + 1) || next_is_near(tl, now, most, 2 * i + 2);
}

/* The same of all but the first, which is @now. Mostly the two below it are later than any doubt. */
static bool any_is_near(const struct timeline *tl, const struct item *now, u64 most)
{
	u64 bound = most + now->skew + tl->most_skew;

	for (u32 i = 1; i < 3 && i < tl->nr; i++)
		if (is_within(tl->heap[i]->head.time, now->time, bound) && next_is_near(tl, now, most, i))
			return true;
	return false;
}

/* Is there an event given before, of clock @other, that may be newer than @now? */
static bool last_is_near(const struct timeline *tl, const struct item *now, u32 other)
{
	const struct last_event *last = tl->clocks[other].last;

	if (other == now->stream->clock && last[0].cpu == now->cpu)
		last++;
	return last->any &&
	       is_within(last->time, now->time,
			 doubt_between(tl, now->stream->clock, other) + now->skew + last->skew);
}

void timeline_note_last(struct last_event last[2], const struct item *now)
{
	struct last_event *own = last[0].any && last[0].cpu != now->cpu ? &last[1] : &last[0], swap;

	if (own->any && own->time + own->skew > now->time + now->skew)
		return;
	*own = (struct last_event){ now->cpu, now->time, now->skew, true };
	if (last[1].any && last[1].time + last[1].skew > last[0].time + last[0].skew) {
		swap = last[0];
		last[0] = last[1];
		last[1] = swap;
	}
}

/* Set the bounds of all clocks at @time. Return: the largest doubt between two of them */
static u64 update_bounds(struct timeline *tl, u64 time)
{
	u64 most = 0;
	u32 i;

	for (i = 0; i < STREAM_NR_CLOCKS; i++) {
		struct clock_doubt *clock = &tl->clocks[i];

		if (!clock->stream)
			continue;
		clock->bound = clock->stream->ops->bound ?
			       clock->stream->ops->bound(clock->stream, time) : 0;
		if (clock->doubt + clock->bound > most)
			most = clock->doubt + clock->bound;
	}
	return 2 * most;
}

static bool is_uncertain(struct timeline *tl, const struct item *now)
{
	u32 clock = now->stream->clock, i;
	u64 most = tl->clocks[clock].doubt;

	if (now->stream->is_unsure || last_is_near(tl, now, clock))
		return true;
	if (tl->nr_clocks > 1) {
		most = update_bounds(tl, now->time);
		for (i = 0; i < STREAM_NR_CLOCKS; i++)
			if (i != clock && last_is_near(tl, now, i))
				return true;
	}
	return any_is_near(tl, now, most);
}

/* Learn the name of the task whose pid is in the event. */
static void learn_comm(struct task_names *tasks, const struct item *item,
		       const struct format_comm *pair)
{
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);
	s64 pid = layout_field_number(pair->pid, &payload);
	u64 off, size;

	if (pid > 0 && field_layout_find(pair->comm, &payload, &off, &size) && size)
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

/* The name of a task of which an aux event has only the pid. */
static const char *comm_of_pid(const struct postmortem *pm, s64 pid)
{
	const struct postmortem_end *end = &pm->end;
	const char *comm = pid >= 0 ? task_names_comm(pm->tasks, pid) : NULL;

	if (!comm && pm->ftrace)
		comm = ftrace_comms_find(&pm->ftrace->comms, pid);
	if (!comm && pid >= 0 && pid == end->pid && *end->comm)
		comm = end->comm;
	return comm;
}

static struct item item_of_aux(const struct postmortem *pm, const struct aux_event *aux)
{
	return (struct item){
		.kind = ITEM_EXTRA, .extra = aux, .time = aux->time,
		.cpu = aux->cpu, .pid = aux->pid,
		.comm = aux->comm ? aux->comm : comm_of_pid(pm, aux->pid), .flags = ITEM_NO_FLAGS,
		.marks = aux->nr_lost ? ITEM_LOST_BEFORE | ITEM_LOST_COUNTED : 0,
		.nr_lost = aux->nr_lost,
	};
}

struct item timeline_mark(const struct recording *recording, const struct recording_mark *mark)
{
	return (struct item){
		.kind = ITEM_MARK, .mark = mark, .time = clock_mono(&recording->clock, mark->clock),
		.raw = mark->clock, .cpu = mark->cpu, .pid = -1, .flags = ITEM_NO_FLAGS,
	};
}

static struct item item_of_crash(const struct postmortem_end *end)
{
	return (struct item){
		.kind = ITEM_CRASH, .time = end->time, .cpu = end->cpu, .pid = end->pid,
		.comm = end->pid >= 0 ? end->comm : NULL, .flags = ITEM_NO_FLAGS,
	};
}

/* A mark and the crash at one time: the mark comes first. */
static const struct item *give_mark_or_crash(struct timeline *tl)
{
	u64 mark = next_mark_time(tl);

	if (tl->has_crash && (tl->pm->end.time < mark || mark == ~0ULL)) {
		tl->has_crash = false;
		tl->beside = item_of_crash(&tl->pm->end);
	} else {
		tl->beside = timeline_mark(tl->pm->recording, &tl->pm->recording->marks[tl->next_mark++]);
	}
	update_quiet(tl);
	return &tl->beside;
}

const struct item *timeline_next(struct timeline *tl)
{
	const struct aux_events *aux = &tl->pm->aux_events;
	bool is_aux = false;
	u64 time = ~0ULL;
	struct item *now;

	if (tl->given && tl->nr) {
		if (tl->heap[0]->ops->next(tl->heap[0]))
			note_skew(tl, tl->heap[0]);
		else
			tl->heap[0] = tl->heap[--tl->nr];
		if (tl->nr)
			sift_down_stream(tl, 0);
	}
	tl->given = false;
	if (tl->nr)
		time = tl->heap[0]->head.time;
	if (tl->next_aux < aux->nr && aux->list[tl->next_aux].time <= time) {
		time = aux->list[tl->next_aux].time;
		is_aux = true;
	}
	if (tl->quiet_until <= time && (tl->quiet_until < ~0ULL || tl->has_crash))
		return give_mark_or_crash(tl);
	if (is_aux) {
		tl->beside = item_of_aux(tl->pm, &aux->list[tl->next_aux++]);
		return &tl->beside;
	}
	if (!tl->nr)
		return NULL;
	tl->given = true;
	now = &tl->heap[0]->head;
	if (now->kind != ITEM_EVENT)
		return now;
	if (is_uncertain(tl, now))
		now->marks |= ITEM_UNCERTAIN;
	timeline_note_last(tl->clocks[now->stream->clock].last, now);
	timeline_name(tl->pm->tasks, now);
	return now;
}
