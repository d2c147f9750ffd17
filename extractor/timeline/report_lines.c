// SPDX-License-Identifier: GPL-2.0-or-later
#include "report_lines.h"

#include <stdlib.h>
#include <string.h>

#include "dump/vmcoreinfo.h"
#include "event/field_iter.h"
#include "recording/stream.h"

/* The capture kernel reads the lines too, and has little memory. */
#define MAX_LINES	(1U << 16)
#define MAX_BYTES	(4U << 20)
/* The crash path of the kernel notes the second of the crash, our stamp the nanosecond. */
#define CRASH_APART_NS	5000000000ULL
/* A record may be a little older than those that were committed before it. */
#define MARGIN_NS	1000000000ULL
/* Hex digits of a rehearsal. */
#define TOKEN		16

/* A line whose text lies at @off of the texts; @order is that of collecting. */
struct collected_line {
	u64 time;
	u64 caller;
	u32 off;
	u32 len;
	u32 order;
};

struct line_collector {
	struct collected_line *lines;
	u32 nr, room;
	char *texts;
	u32 used, texts_room;
};

static int collect_line(struct line_collector *c, u64 time, u64 caller, const char *text, u32 len,
			struct err *err)
{
	void *p;

	if (c->nr == MAX_LINES || c->used + len > MAX_BYTES)
		return 0;
	if (c->nr == c->room) {
		p = reallocarray(c->lines, 2 * c->room + 512, sizeof(*c->lines));
		if (!p)
			return err_sys(err, "memory for %u lines of the log", c->nr);
		c->lines = p;
		c->room = 2 * c->room + 512;
	}
	if (!c->texts || c->texts_room - c->used < len) {
		p = realloc(c->texts, 2 * c->texts_room + len + 32768);
		if (!p)
			return err_sys(err, "memory for %u lines of the log", c->nr);
		c->texts = p;
		c->texts_room = 2 * c->texts_room + len + 32768;
	}
	memcpy(c->texts + c->used, text, len);
	c->lines[c->nr] = (struct collected_line){ time, caller, c->used, len, c->nr };
	c->nr++;
	c->used += len;
	return 0;
}

u64 report_line_caller(s64 pid, u32 cpu)
{
	if (pid < 0 && cpu == NO_CPU)
		return KERNEL_REPORT_NO_CALLER;
	return (cpu == NO_CPU ? 0 : cpu + 1ULL) << 32 | (u32)(pid + 1);
}

/*
 * One printk() may print several lines, each with a prefix of the console. If the prefix has a
 * time, @klog converts it to CLOCK_MONOTONIC.
 */
static int collect_text(struct line_collector *c, u64 time, u64 caller, const struct klog *klog,
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
		if (klog && klog->there && prefix.has_time)
			time = klog_mono(klog, prefix.ns);
		if (prefix.caller == 'T')
			caller = report_line_caller(prefix.number, NO_CPU);
		else if (prefix.caller == 'C')
			caller = report_line_caller(-1, prefix.number);
		ret = collect_line(c, time, caller, line, rest, err);
		text += n + (end != NULL);
		len -= n + (end != NULL);
	}
	return ret;
}

/* --- what the recorder kept ---------------------------------------------- */

/* Console lines in sub-buffer @i of the scan, before @before. */
static int collect_subbuf(struct line_collector *c, const struct recording_ring *ring,
			  struct stream *stream, u32 i, u64 before, struct err *err)
{
	const struct recording *recording = ring->recording;
	int ret = stream_ring_begin_at(stream, i, err);

	while (!ret && stream->ops->next(stream) && stream_ring_at(stream) == i) {
		const struct item *item = &stream->head;
		struct field msg;

		if (item->kind != ITEM_EVENT || item->id != recording->ids.console || item->time >= before ||
		    !field_iter_find(item, "msg", &msg) || msg.kind != FIELD_TEXT)
			continue;
		ret = collect_text(c, item->time, KERNEL_REPORT_NO_CALLER, &recording->klog,
				   msg.data, msg.size, err);
	}
	stream->ops->end(stream);
	return ret;
}

/* A facility that is not the kernel's. */
static bool is_from_program(s32 priority)
{
	return priority >= 8;
}

/* Lines before @before, CLOCK_MONOTONIC; the newest first, as there may be too many. */
static int collect_recorded(struct line_collector *c, struct postmortem *pm, u64 before,
			    struct err *err)
{
	const struct recording *recording = pm->recording;
	int ret = 0;

	for (u32 i = 0; i < recording->klog.nr && !ret; i++) {
		const struct klog_line *line = &recording->klog.lines[i];

		if (line->mono_ns < before && !is_from_program(line->priority))
			ret = collect_text(c, line->mono_ns, KERNEL_REPORT_NO_CALLER, NULL, line->text,
					   line->len, err);
	}
	/* The first streams are those of the rings. */
	for (u32 i = 0; i < recording->nr_rings && i < pm->nr_streams && !ret; i++) {
		const struct recording_ring *ring = &recording->rings[i];
		const struct ring_scan *scan = &ring->scan;

		if (ring->channel->is_copy)
			continue;
		for (u32 k = scan->nr_subs; k-- && !ret; )
			if (scan->subs[k].state == SUBBUF_GOOD &&
			    (scan->subs[k].flags & SCAN_CONSOLE))
				ret = collect_subbuf(c, ring, pm->streams[i], k, before, err);
	}
	return ret;
}

static int compare_collected(const void *a, const void *b)
{
	const struct collected_line *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

bool report_line_is_rehearsal(const char *text, u32 len)
{
	static const char words[] = "epitaph: test crash ";
	u32 n = sizeof(words) - 1;

	if (len != n + TOKEN || memcmp(text, words, n))
		return false;
	for (; n < len; n++)
		if (!memchr("0123456789abcdef", text[n], 16))
			return false;
	return true;
}

/* --- the kernel's log of a dump ------------------------------------------ */

/* CLOCK_MONOTONIC of a record. */
static u64 record_mono(const struct postmortem *pm, const struct klog_record *record)
{
	const struct recording *recording = pm->recording;

	if (recording && recording->klog.there)
		return klog_mono(&recording->klog, record->local_ns);
	return pm->kernel ? record->line.mono_ns : record->local_ns;
}

/*
 * Does the log have the newest line that the recorder found in it, at the same microsecond? There it had
 * its caller in front, and may have been the last of several lines that one printk() printed.
 */
static bool log_has_recorded_line(const struct printk_ringbuffer *log, const struct klog *klog)
{
	const struct klog_line *line = klog->nr ? &klog->lines[klog->nr - 1] : NULL;
	const char *text = line ? line->text : NULL;
	u32 len = line ? line->len : 0;

	if (line)
		klog_skip_prefix(&text, &len, NULL);
	for (u32 i = 0; line && i < log->nr; i++) {
		const struct klog_record *record = &log->records[i];

		if (record->local_ns / 1000 == (line->mono_ns - klog->ahead) / 1000 &&
		    memmem(record->line.text, record->line.len, text, len))
			return true;
	}
	return false;
}

/* It reaches back behind the newest line that the recorder found in its log, and does not have that. */
static bool lacks_recorded_line(const struct printk_ringbuffer *log, const struct klog *klog)
{
	const struct klog_line *line = klog->nr ? &klog->lines[klog->nr - 1] : NULL;

	/* With printk.time=0 lines have no time. */
	return line && line->mono_ns && log->nr && !log->nr_damaged &&
	       (s64)(log->records[0].local_ns + MARGIN_NS) <= (s64)(line->mono_ns - klog->ahead) &&
	       !log_has_recorded_line(log, klog);
}

/* Surely; without a line and without two different places of the kernel nothing says so. */
static bool is_log_of_other_boot(const struct printk_ringbuffer *log, const struct postmortem *pm)
{
	u64 ours = pm->recording->generation->hdr.kaslr_offset, theirs;

	if (ours && vmcoreinfo_hex(pm->dump, "KERNELOFFSET", &theirs) && theirs && theirs != ours)
		return true;
	return lacks_recorded_line(log, &pm->recording->klog);
}

/* Is it the log of the boot that was recorded? A dump also holds generations of earlier boots. */
static bool is_log_of_recording(const struct printk_ringbuffer *log, const struct postmortem *pm)
{
	const struct recording *recording = pm->recording;
	u64 seconds, at;

	if (!recording || log_has_recorded_line(log, &recording->klog))
		return true;
	if (is_log_of_other_boot(log, pm) || !recording->crash.known ||
	    !vmcoreinfo_decimal(pm->dump, "CRASHTIME", &seconds) || !seconds)
		return false;
	at = seconds * 1000000000;
	return recording->crash.real_ns + CRASH_APART_NS > at &&
	       recording->crash.real_ns < at + CRASH_APART_NS;
}

bool report_lines_same_boot(const struct postmortem *pm)
{
	return is_log_of_recording(&pm->kernel->log, pm);
}

bool report_lines_other_boot(const struct postmortem *pm)
{
	return is_log_of_other_boot(&pm->kernel->log, pm);
}

/* The oldest record to collect: half of the room is for the lines that the recorder kept. */
static u32 first_record(const struct printk_ringbuffer *log)
{
	u32 i = log->nr, bytes = 0;

	while (i && log->nr - i < MAX_LINES / 2 && bytes + log->records[i - 1].line.len < MAX_BYTES / 2)
		bytes += log->records[--i].line.len;
	return i;
}

static int collect_log(struct line_collector *c, const struct postmortem *pm,
		       const struct printk_ringbuffer *log, struct err *err)
{
	u64 time = 0;
	int ret = 0;

	for (u32 i = first_record(log); i < log->nr && !ret; i++) {
		const struct klog_record *record = &log->records[i];

		/* The clocks of two CPUs may disagree; the order of the log is right. */
		if (record_mono(pm, record) > time)
			time = record_mono(pm, record);
		if (!is_from_program(record->line.priority) ||
		    report_line_is_rehearsal(record->line.text, record->line.len))
			ret = collect_text(c, time, report_line_caller(record->pid, record->cpu), NULL,
					   record->line.text, record->line.len, err);
	}
	return ret;
}

/* If the caller did not ask for the kernel: VMCOREINFO alone leads to the log. */
static int read_log_by_vmcoreinfo(struct printk_ringbuffer *log, const struct postmortem *pm,
				  struct err *err)
{
	struct damage_notes notes = { 0 };
	struct vmem *vmem = NULL;
	int ret;

	if (!dump_vmcoreinfo(pm->dump, NULL) || vmem_open(&vmem, pm->dump, NULL))
		return 0;
	ret = printk_ringbuffer_read(log, vmem, NULL, &notes, err);
	vmem_close(vmem);
	damage_notes_free(&notes);
	return ret;
}

/* Sort by time, and give the lines to the caller; two channels may have the same line. */
static int finish_lines(struct report_lines *lines, struct line_collector *c, struct err *err)
{
	const struct collected_line *last = NULL;

	lines->list = calloc(c->nr ? c->nr : 1, sizeof(*lines->list));
	if (!lines->list)
		return err_sys(err, "memory for %u lines of the log", c->nr);
	if (c->nr)
		qsort(c->lines, c->nr, sizeof(*c->lines), compare_collected);
	for (u32 i = 0; i < c->nr; i++) {
		const struct collected_line *line = &c->lines[i];

		if (last && last->time == line->time && last->len == line->len &&
		    !memcmp(c->texts + last->off, c->texts + line->off, line->len))
			continue;
		last = line;
		lines->list[lines->nr++] = (struct report_line){
			.time = line->time, .caller = line->caller,
			.text = c->texts + line->off, .len = line->len,
		};
	}
	lines->texts = c->texts;
	c->texts = NULL;
	return 0;
}

int report_lines_read(struct report_lines *lines, struct postmortem *pm, struct err *err)
{
	struct line_collector c = { 0 };
	struct printk_ringbuffer own = { 0 };
	const struct printk_ringbuffer *log = pm->kernel || pm->console ? pm_log(pm) : &own;
	int ret = log != &own ? 0 : read_log_by_vmcoreinfo(&own, pm, err);
	u64 before;

	memset(lines, 0, sizeof(*lines));
	if (log->nr && pm->recording)
		pm->is_other_boot |= is_log_of_other_boot(log, pm);
	if (!log->nr || !is_log_of_recording(log, pm))
		log = NULL;
	before = log ? record_mono(pm, &log->records[first_record(log)]) : ~0ULL;
	if (!ret && log)
		ret = collect_log(&c, pm, log, err);
	if (!ret && pm->recording)
		ret = collect_recorded(&c, pm, before, err);
	if (!ret)
		ret = finish_lines(lines, &c, err);
	if (!ret && lines->nr)
		lines->source = (log && !pm->console) || (pm->recording && pm->recording->klog.is_whole) ?
				REPORT_SOURCE_LOG : REPORT_SOURCE_CONSOLE;
	printk_ringbuffer_free(&own);
	free(c.lines);
	free(c.texts);
	return ret;
}

void report_lines_free(struct report_lines *lines)
{
	free(lines->list);
	free(lines->texts);
	memset(lines, 0, sizeof(*lines));
}
