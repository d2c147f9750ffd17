// SPDX-License-Identifier: GPL-2.0-or-later
#include "timeline.h"

#include <stdlib.h>
#include <string.h>

#include "bytes.h"

/*
 * Where one ring is.
 * @next: index in scan.subs
 * @sub: the open one, whose bytes are @data
 * @at: in it
 * @pid: that runs, or -1
 * @marks: for the next event, with @nr_lost
 * @entry: what it stands at
 */
struct cursor {
	const struct trace_ring *ring;
	u32 next;
	bool open;
	bool damaged;
	struct sub sub;
	struct sub_cursor at;
	s64 pid;
	u32 marks;
	u64 nr_lost;
	u8 *data;
	struct entry entry;
};

struct moment {
	u32 cpu;
	u64 time;
	bool any;
};

/*
 * @heap: cursors that stand at something, the earliest first
 * @given: the first of the heap was the last one given
 * @next_extra: in trace->extras; @extra is the one given
 * @last: the newest event given, and the newest of another CPU than its
 */
struct timeline {
	struct trace *trace;
	bool with_damaged;
	u64 doubt;
	struct cursor *cursors;
	u32 nr_cursors;
	struct cursor **heap;
	u32 nr;
	u32 next_extra;
	struct entry extra;
	bool given;
	struct moment last[2];
};

static void mark_loss(struct cursor *cur)
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

static void give_damaged(struct cursor *cur, const struct scan_sub *sub)
{
	cur->entry = (struct entry){ .kind = ENTRY_DAMAGED, .ring = cur->ring, .cpu = cur->ring->cpu,
				     .time = sub->time, .pid = -1,
				     .nr_lost = sub->nr_events };
	cur->marks = ENTRY_LOST_BEFORE;
}

/* Opens the next sub-buffer.  1: it is open; 0: no more; 2: an entry instead. */
static int open_sub(struct timeline *tl, struct cursor *cur)
{
	const struct scan *scan = &cur->ring->scan;
	const struct scan_sub *sub;

	if (cur->next >= scan->nr_subs)
		return 0;
	sub = &scan->subs[cur->next];
	mark_loss(cur);
	cur->damaged = sub->state != SUB_GOOD;
	if (!scan_load(scan, cur->next++, &cur->sub, cur->data) ||
	    (cur->damaged && !tl->with_damaged)) {
		give_damaged(cur, sub);
		return 2;
	}
	cur->open = true;
	cur->pid = cur->sub.pid;
	cur->at = sub_begin(&cur->sub);
	return 1;
}

/* A number of at most 8 bytes where the format says it is. */
static s64 number(const struct tep_format_field *field, struct bytes *payload)
{
	u64 off = field->offset - FORMATS_COMMON;

	if (field->offset < FORMATS_COMMON || !bytes_has(payload, off, field->size))
		return -1;
	if (field->size == 4)
		return bytes_u32(payload, off);
	return field->size == 2 ? bytes_u16(payload, off) : -1;
}

static struct bytes payload_of(const struct trace *trace, const struct entry *entry)
{
	return bytes_of(entry->payload, entry->size,
			trace->region->hdr.byte_order == EPITAPH_BIG_ENDIAN ?
			ORDER_BIG : ORDER_LITTLE);
}

/* Who runs after this event; the event itself is still the one before's. */
static void follow_pid(struct trace *trace, struct cursor *cur)
{
	const struct format *format = formats_get(trace->formats, cur->entry.id);
	struct bytes payload = payload_of(trace, &cur->entry);

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
	if (cur->entry.pid < 0)
		cur->entry.pid = number(format->comms[0].pid, &payload);
	cur->pid = number(format->comms[1].pid, &payload);
}

static void give_event(struct timeline *tl, struct cursor *cur,
		       const struct sub_event *ev)
{
	cur->entry = (struct entry){
		.kind = ENTRY_EVENT, .ring = cur->ring, .cpu = cur->ring->cpu, .time = ev->time,
		.id = ev->id, .pid = cur->pid, .marks = cur->marks,
		.nr_lost = cur->nr_lost,
		.payload = cur->data + ev->off + ev->before * 4,
		.size = (ev->words - ev->before) * 4,
	};
	if (cur->damaged)
		cur->entry.marks |= ENTRY_IN_DAMAGED;
	if (ev->unproven)
		cur->entry.marks |= ENTRY_UNPROVEN;
	if (ev->doubtful)
		cur->entry.marks |= ENTRY_UNCERTAIN;
	cur->marks = 0;
	cur->nr_lost = 0;
	follow_pid(tl->trace, cur);
}

static void give_torn(struct cursor *cur, const struct sub_event *ev)
{
	cur->entry = (struct entry){ .kind = ENTRY_TORN, .ring = cur->ring, .cpu = cur->ring->cpu,
				     .time = ev->time, .pid = -1,
				     .size = ev->words * 4 };
}

static void take_pid(struct cursor *cur, const struct sub_event *ev)
{
	struct bytes b = bytes_of(cur->data, cur->ring->scan.unit, ORDER_LITTLE);

	cur->pid = bytes_u32(&b, ev->off + ev->before * 4);
}

/* Moves to what is next; false: the ring is at its end. */
static bool step(struct timeline *tl, struct cursor *cur)
{
	const struct ids *ids = &tl->trace->ids;
	struct sub_event ev;
	int opened;

	for (;;) {
		if (!cur->open) {
			opened = open_sub(tl, cur);
			if (opened != 1)
				return opened;
		}
		sub_next(&cur->sub, cur->data, &cur->at, ids, &ev);
		if (ev.kind == SUB_END || ev.kind == SUB_BROKEN) {
			cur->open = false;
		} else if (ev.kind != SUB_COMMITTED) {
			give_torn(cur, &ev);
			return true;
		} else if (ev.id == EPITAPH_ID_PID) {
			take_pid(cur, &ev);
		} else {
			give_event(tl, cur, &ev);
			return true;
		}
	}
}

static bool is_before(const struct cursor *a, const struct cursor *b)
{
	if (a->entry.time != b->entry.time)
		return a->entry.time < b->entry.time;
	return a < b;
}

static void sift_down(struct timeline *tl, u32 i)
{
	struct cursor *cur = tl->heap[i];
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

static int begin(struct timeline *tl, u64 from, struct err *err)
{
	u32 i;

	for (i = 0; i < tl->nr_cursors; i++) {
		struct cursor *cur = &tl->cursors[i];

		cur->ring = &tl->trace->rings[i];
		cur->next = first_sub(&cur->ring->scan, from);
		if (cur->next >= cur->ring->scan.nr_subs)
			continue;
		cur->data = malloc(cur->ring->scan.unit);
		if (!cur->data)
			return err_sys(err, "memory for a sub-buffer");
		if (step(tl, cur))
			tl->heap[tl->nr++] = cur;
	}
	for (i = tl->nr / 2; i > 0; i--)
		sift_down(tl, i - 1);
	return 0;
}

static void begin_extras(struct timeline *tl, u64 from)
{
	const struct extras *extras = &tl->trace->extras;

	while (tl->next_extra < extras->nr && extras->list[tl->next_extra].time < from)
		tl->next_extra++;
}

int timeline_open(struct timeline **ret_tl, struct trace *trace, u64 from,
		  bool with_damaged, struct err *err)
{
	struct timeline *tl = calloc(1, sizeof(*tl));
	u32 n = trace->nr_rings ? trace->nr_rings : 1;
	int ret;

	if (!tl)
		return err_sys(err, "memory");
	tl->trace = trace;
	tl->with_damaged = with_damaged;
	tl->doubt = clock_doubt(&trace->clock);
	tl->cursors = calloc(n, sizeof(*tl->cursors));
	tl->heap = calloc(n, sizeof(*tl->heap));
	tl->nr_cursors = trace->nr_rings;
	tasks_reset(trace->tasks);
	begin_extras(tl, from);
	ret = tl->cursors && tl->heap ? begin(tl, from, err) :
					err_sys(err, "memory for %u rings", n);
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
	for (i = 0; tl->cursors && i < tl->nr_cursors; i++)
		free(tl->cursors[i].data);
	free(tl->cursors);
	free(tl->heap);
	free(tl);
}

static bool is_near(const struct timeline *tl, u64 a, u64 b)
{
	return (a > b ? a - b : b - a) <= tl->doubt;
}

/* Does another CPU stand at a time that cannot be told from that of @now? */
static bool others_near(const struct timeline *tl, const struct entry *now, u32 i)
{
	const struct entry *entry;

	if (i >= tl->nr)
		return false;
	entry = &tl->heap[i]->entry;
	if (!is_near(tl, entry->time, now->time))
		return false;
	if (entry->ring->cpu != now->ring->cpu && entry->kind == ENTRY_EVENT)
		return true;
	return others_near(tl, now, 2 * i + 1) || others_near(tl, now, 2 * i + 2);
}

static void mark_order(struct timeline *tl, struct entry *now)
{
	struct moment *last = tl->last;
	u32 cpu = now->ring->cpu;
	const struct moment *other = last[0].any && last[0].cpu != cpu ? &last[0] : &last[1];

	if ((other->any && is_near(tl, other->time, now->time)) ||
	    others_near(tl, now, 0))
		now->marks |= ENTRY_UNCERTAIN;
	if (last[0].any && last[0].cpu != cpu)
		last[1] = last[0];
	last[0] = (struct moment){ cpu, now->time, true };
}

/* A text of the event: in place, or where a dynamic field points. */
static void learn_comm(struct trace *trace, const struct entry *entry,
		       const struct format_comm *pair)
{
	struct bytes payload = payload_of(trace, entry);
	s64 pid = number(pair->pid, &payload);
	u64 off = pair->comm->offset - FORMATS_COMMON;
	u64 size = pair->comm->size;

	if (pair->comm->offset < FORMATS_COMMON || pid <= 0)
		return;
	if (pair->comm->flags & TEP_FIELD_IS_DYNAMIC) {
		u32 loc = bytes_u32(&payload, off);

		size = loc >> 16;
		off = (loc & 0xffff) - (u64)FORMATS_COMMON;
		if (pair->comm->flags & TEP_FIELD_IS_RELATIVE)
			off += pair->comm->offset + pair->comm->size;
	}
	if (bytes_has(&payload, off, size) && size)
		tasks_set(trace->tasks, pid, (const char *)payload.data + off, size);
}

static void name_task(struct trace *trace, struct entry *entry)
{
	const struct format *format = formats_get(trace->formats, entry->id);
	u32 i;

	for (i = 0; i < format->nr_comms; i++)
		learn_comm(trace, entry, &format->comms[i]);
	if (entry->pid >= 0)
		entry->comm = tasks_comm(trace->tasks, entry->pid);
}

/* Is an extra next?  Of the same time, it goes before. */
static bool is_extra(const struct timeline *tl)
{
	const struct extras *extras = &tl->trace->extras;

	return tl->next_extra < extras->nr &&
	       (!tl->nr || extras->list[tl->next_extra].time <= tl->heap[0]->entry.time);
}

static const struct entry *give_extra(struct timeline *tl)
{
	const struct extra *extra = &tl->trace->extras.list[tl->next_extra++];

	tl->extra = (struct entry){
		.kind = ENTRY_EXTRA, .extra = extra, .time = extra->time,
		.cpu = extra->cpu, .pid = extra->pid, .comm = extra->comm,
		.marks = extra->nr_lost ? ENTRY_LOST_BEFORE | ENTRY_LOST_COUNTED : 0,
		.nr_lost = extra->nr_lost,
	};
	return &tl->extra;
}

const struct entry *timeline_next(struct timeline *tl)
{
	struct entry *now;

	if (tl->given && tl->nr) {
		if (!step(tl, tl->heap[0]))
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
	now = &tl->heap[0]->entry;
	if (now->kind == ENTRY_EVENT) {
		mark_order(tl, now);
		name_task(tl->trace, now);
	}
	return now;
}
