// SPDX-License-Identifier: GPL-2.0-or-later
#include "report_lines.h"

#include <stdlib.h>
#include <string.h>

#include "dump/vmcoreinfo.h"
#include "event/field_iter.h"

/* The capture kernel reads them too, and has little memory. */
#define MAX_LINES	(1U << 16)
#define MAX_BYTES	(4U << 20)
/* The crash path notes the second of the crash, and a stamp the nanosecond. */
#define CRASH_APART_NS	5000000000ULL

/* A line whose text lies at @off of the texts. */
struct place {
	u64 time;
	u64 caller;
	u32 off;
	u32 len;
	u32 order;
};

struct collector {
	struct place *places;
	u32 nr, room;
	char *texts;
	u32 used, texts_room;
};

/* --- a line more --------------------------------------------------------- */

static bool make_room(struct collector *c, u32 len)
{
	if (c->nr == c->room) {
		u32 room = 2 * c->room + 512;
		void *p = reallocarray(c->places, room, sizeof(*c->places));

		if (!p)
			return false;
		c->places = p;
		c->room = room;
	}
	if (c->texts_room - c->used < len) {
		u32 room = 2 * c->texts_room + len + 32768;
		char *p = realloc(c->texts, room);

		if (!p)
			return false;
		c->texts = p;
		c->texts_room = room;
	}
	return true;
}

static int add_line(struct collector *c, u64 time, u64 caller, const char *text, u32 len,
		    struct err *err)
{
	if (c->nr == MAX_LINES || c->used + len > MAX_BYTES)
		return 0;
	if (!make_room(c, len))
		return err_sys(err, "memory for %u lines of the log", c->nr);
	memcpy(c->texts + c->used, text, len);
	c->places[c->nr] = (struct place){ time, caller, c->used, len, c->nr };
	c->nr++;
	c->used += len;
	return 0;
}

static u64 caller_of(s64 pid, u32 cpu)
{
	if (pid < 0 && cpu == NO_CPU)
		return KERNEL_REPORT_NO_CALLER;
	return (cpu == NO_CPU ? 0 : cpu + 1ULL) << 32 | (u32)(pid + 1);
}

/* The time that a line says itself; @klog knows what that is in CLOCK_MONOTONIC. */
static u64 said_time(const struct klog_prefix *prefix, const struct klog *klog, u64 time)
{
	return klog && klog->there && prefix->has_time ? klog_mono(klog, prefix->ns) : time;
}

/* What a printk() said may be several lines, each with a prefix of the console's. */
static int add_text(struct collector *c, u64 time, u64 caller, const struct klog *klog,
		    const char *text, u32 len, struct err *err)
{
	struct klog_prefix prefix;
	int ret = 0;

	while (len && !ret) {
		const char *end = memchr(text, '\n', len);
		u32 n = end ? (u32)(end - text) : len;
		const char *line = text;
		u32 rest = n;

		klog_skip_prefix(&line, &rest, &prefix);
		time = said_time(&prefix, klog, time);
		if (prefix.caller == 'T')
			caller = caller_of(prefix.number, NO_CPU);
		else if (prefix.caller == 'C')
			caller = caller_of(-1, prefix.number);
		ret = add_line(c, time, caller, line, rest, err);
		text += n + (end != NULL);
		len -= n + (end != NULL);
	}
	return ret;
}

/* --- what the recorder kept ---------------------------------------------- */

/* Lines of the console in sub-buffer @i of the scan. */
static int add_sub(struct collector *c, const struct recording_ring *ring, struct stream *stream, u32 i,
		   u64 before, struct err *err)
{
	const struct recording *recording = ring->recording;
	u64 last = recording_mono(recording, ring->scan.subs[i].last);
	u64 first = recording_mono(recording, ring->scan.subs[i].first);
	int ret = stream->ops->begin(stream, first, false, err);

	while (!ret && stream->ops->next(stream) && stream->head.time <= last) {
		const struct item *item = &stream->head;
		struct field msg;

		if (item->kind != ITEM_EVENT || item->id != recording->ids.console ||
		    item->time < first || item->time >= before || !field_iter_find(item, "msg", &msg) ||
		    msg.kind != FIELD_TEXT)
			continue;
		ret = add_text(c, item->time, KERNEL_REPORT_NO_CALLER, &recording->klog,
			       msg.data, msg.size, err);
	}
	stream->ops->end(stream);
	return ret;
}

static int add_ring(struct collector *c, const struct recording_ring *ring, struct stream *stream,
		    u64 before, struct err *err)
{
	const struct ring_scan *scan = &ring->scan;
	int ret = 0;

	for (u32 i = scan->nr_subs; i-- && !ret; )
		if (scan->subs[i].state == SUBBUF_GOOD && (scan->subs[i].flags & SCAN_CONSOLE))
			ret = add_sub(c, ring, stream, i, before, err);
	return ret;
}

static bool is_programs(s32 priority)
{
	return priority >= 8;	/* a facility that is not the kernel's */
}

/* What is before @before, CLOCK_MONOTONIC; the newest first, as there may be too many. */
static int add_recorded(struct collector *c, struct postmortem *pm, u64 before, struct err *err)
{
	const struct recording *recording = pm->recording;
	int ret = 0;

	for (u32 i = 0; i < recording->klog.nr && !ret; i++) {
		const struct klog_line *line = &recording->klog.lines[i];

		if (line->mono_ns < before && !is_programs(line->priority))
			ret = add_text(c, line->mono_ns, KERNEL_REPORT_NO_CALLER, NULL, line->text,
				       line->len, err);
	}
	/* The first streams are those of the rings. */
	for (u32 i = 0; i < recording->nr_rings && i < pm->nr_streams && !ret; i++)
		if (!recording->rings[i].channel->is_copy)
			ret = add_ring(c, &recording->rings[i], pm->streams[i], before, err);
	return ret;
}

static int by_time(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* Two channels may have the same line. */
static void drop_doubles(struct collector *c)
{
	u32 n = 0;

	for (u32 i = 0; i < c->nr; i++) {
		const struct place *p = &c->places[i], *q = n ? &c->places[n - 1] : NULL;

		if (q && p->time == q->time && p->len == q->len &&
		    !memcmp(c->texts + p->off, c->texts + q->off, p->len))
			continue;
		c->places[n++] = *p;
	}
	c->nr = n;
}

/* --- the kernel's log of a dump ------------------------------------------ */

/* The kernel's times of its log, in CLOCK_MONOTONIC. */
static u64 time_of(const struct postmortem *pm, const struct klog_record *record)
{
	const struct recording *recording = pm->recording;

	if (recording && recording->klog.there)
		return klog_mono(&recording->klog, record->local_ns);
	return pm->kernel ? record->line.mono_ns : record->local_ns;
}

/* Does the log have the newest line that the recorder found in it, at the same microsecond? */
static bool has_line_of(const struct printk_ringbuffer *log, const struct klog *klog)
{
	const struct klog_line *line = klog->nr ? &klog->lines[klog->nr - 1] : NULL;

	for (u32 i = 0; line && i < log->nr; i++) {
		const struct klog_record *record = &log->records[i];

		if (record->local_ns / 1000 == (line->mono_ns - klog->ahead) / 1000 &&
		    record->line.len >= line->len &&
		    !memcmp(record->line.text, line->text, line->len))
			return true;
	}
	return false;
}

/* A dump has generations of earlier boots as well, whose log it has not got. */
static bool is_of_generation(const struct printk_ringbuffer *log, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	u64 seconds, at;

	if (!recording || has_line_of(log, &recording->klog))
		return true;
	if (!recording->crash.known || !vmcoreinfo_decimal(pm->dump, "CRASHTIME", &seconds) || !seconds)
		return false;
	at = seconds * 1000000000;
	return recording->crash.real_ns + CRASH_APART_NS > at &&
	       recording->crash.real_ns < at + CRASH_APART_NS;
}

/* The oldest record of which there is room: half of it is for what the recorder kept. */
static u32 first_record(const struct printk_ringbuffer *log)
{
	u32 i = log->nr, bytes = 0;

	while (i && log->nr - i < MAX_LINES / 2 && bytes + log->records[i - 1].line.len < MAX_BYTES / 2)
		bytes += log->records[--i].line.len;
	return i;
}

static int add_log(struct collector *c, const struct postmortem *pm, const struct printk_ringbuffer *log,
		   struct err *err)
{
	u64 time = 0;
	int ret = 0;

	for (u32 i = first_record(log); i < log->nr && !ret; i++) {
		const struct klog_record *record = &log->records[i];

		/* Two CPUs' clocks may disagree; the order of the log is right. */
		if (time_of(pm, record) > time)
			time = time_of(pm, record);
		if (!is_programs(record->line.priority))
			ret = add_text(c, time, caller_of(record->pid, record->cpu), NULL,
				       record->line.text, record->line.len, err);
	}
	return ret;
}

/* Of a dump whose kernel was not asked for: VMCOREINFO alone leads to the log. */
static int read_log(struct printk_ringbuffer *log, const struct postmortem *pm, struct err *err)
{
	struct damage_notes notes = { 0 };
	struct vmem *vmem = NULL;
	int ret = 0;

	if (!dump_vmcoreinfo(pm->dump, NULL) || vmem_open(&vmem, pm->dump, NULL))
		return 0;
	ret = printk_ringbuffer_read(log, vmem, NULL, &notes, err);
	vmem_close(vmem);
	damage_notes_free(&notes);
	return ret;
}

/* --- all of them --------------------------------------------------------- */

static int finish(struct report_lines *lines, struct collector *c, struct err *err)
{
	lines->list = calloc(c->nr ? c->nr : 1, sizeof(*lines->list));
	if (!lines->list)
		return err_sys(err, "memory for %u lines of the log", c->nr);
	for (u32 i = 0; i < c->nr; i++)
		lines->list[i] = (struct report_line){
			.time = c->places[i].time, .caller = c->places[i].caller,
			.text = c->texts + c->places[i].off, .len = c->places[i].len,
		};
	lines->nr = c->nr;
	lines->texts = c->texts;
	c->texts = NULL;
	return 0;
}

static int collect(struct collector *c, struct postmortem *pm, const struct printk_ringbuffer *log,
		   struct err *err)
{
	u64 before = log ? time_of(pm, &log->records[first_record(log)]) : ~0ULL;
	int ret = log ? add_log(c, pm, log, err) : 0;

	if (!ret && pm->recording)
		ret = add_recorded(c, pm, before, err);
	if (c->nr)
		qsort(c->places, c->nr, sizeof(*c->places), by_time);
	drop_doubles(c);
	return ret;
}

int report_lines_read(struct report_lines *lines, struct postmortem *pm, struct err *err)
{
	struct collector c = { 0 };
	struct printk_ringbuffer own = { 0 };
	const struct printk_ringbuffer *log = pm->kernel ? &pm->kernel->log : &own;
	int ret = pm->kernel ? 0 : read_log(&own, pm, err);

	memset(lines, 0, sizeof(*lines));
	if (!log->nr || !is_of_generation(log, pm))
		log = NULL;
	if (!ret)
		ret = collect(&c, pm, log, err);
	if (!ret)
		ret = finish(lines, &c, err);
	if (!ret && lines->nr)
		lines->source = log ? REPORT_SOURCE_LOG : REPORT_SOURCE_CONSOLE;
	printk_ringbuffer_free(&own);
	free(c.places);
	free(c.texts);
	return ret;
}

void report_lines_free(struct report_lines *lines)
{
	free(lines->list);
	free(lines->texts);
	memset(lines, 0, sizeof(*lines));
}
