// SPDX-License-Identifier: GPL-2.0-or-later
/* Perfetto's protobuf; docs/perfetto.md */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "perfetto_packet.h"

#define NR_NAMES	16384		/* threads whose names are remembered as told */
#define MAX_NAME	512		/* characters of an instant's name */

/**
 * struct export_perfetto - one under way
 * @names: a hash of the name that was told last, by the low bits of the pid
 * @has_clock: clocks were told
 */
struct export_perfetto {
	struct perfetto_file file;
	struct account *account;
	struct render *render;
	u64 *names;
	bool has_clock;
	struct leader leaders[PERFETTO_NR_TYPED];
};

static void put_clock(struct export_perfetto *e, u32 id, u64 ns)
{
	u32 clock = proto_begin(&e->file.p, SNAPSHOT_CLOCKS);

	proto_u64(&e->file.p, CLOCK_CLOCK_ID, id);
	proto_u64(&e->file.p, CLOCK_TIMESTAMP, ns);
	proto_end(&e->file.p, clock);
}

/* Trace processor takes ftrace's times for CLOCK_BOOTTIME: how far that was ahead is not recorded. */
static void put_clocks(struct export_perfetto *e, u64 mono_ns, u64 real_ns)
{
	u32 snapshot;

	perfetto_begin(&e->file, SEQUENCE_TRACKS);
	proto_u64(&e->file.p, PACKET_TIMESTAMP, mono_ns);
	proto_u64(&e->file.p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	snapshot = proto_begin(&e->file.p, PACKET_CLOCK_SNAPSHOT);
	put_clock(e, PERFETTO_MONOTONIC, mono_ns);
	put_clock(e, PERFETTO_BOOTTIME, mono_ns);
	if (real_ns)
		put_clock(e, PERFETTO_REALTIME, real_ns);
	proto_u64(&e->file.p, SNAPSHOT_PRIMARY, PERFETTO_MONOTONIC);
	proto_end(&e->file.p, snapshot);
	perfetto_end(&e->file);
	e->has_clock = true;
}

/* As the JSON export has them: trace processor makes arguments of it. */
static void put_fields(struct export_perfetto *e, const struct entry *entry)
{
	struct json j = { 0 };
	char *text = NULL;
	size_t size = 0;
	u32 annotation;

	j.f = open_memstream(&text, &size);
	if (!j.f)
		return;
	render_fields(&j, NULL, entry);
	if (!fclose(j.f)) {
		annotation = proto_begin(&e->file.p, EVENT_DEBUG_ANNOTATIONS);
		proto_str(&e->file.p, ANNOTATION_NAME, "fields");
		proto_bytes(&e->file.p, ANNOTATION_JSON, text, size);
		if (e->file.p.full)
			proto_drop(&e->file.p, annotation);
		else
			proto_end(&e->file.p, annotation);
	}
	free(text);
}

/* Cut between characters. */
static void cut(char *text, size_t max)
{
	size_t n = strnlen(text, max + 1);

	if (n <= max)
		return;
	while (max && ((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	text[max] = 0;
}

static void put_instant(struct export_perfetto *e, const struct entry *entry, u32 track)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	char marks[80];
	u32 event;

	if (!f)
		return;
	render_text(e->render, f, entry);
	if (!fclose(f)) {
		cut(text, MAX_NAME);
		event = perfetto_begin_instant(&e->file, entry->time, track, text);
		perfetto_note_who(&e->file, entry->cpu, entry->pid, entry->comm);
		perfetto_note_text(&e->file, "event", entry_name(entry));
		perfetto_marks(marks, sizeof(marks), entry);
		if (*marks)
			perfetto_note_text(&e->file, "marks", marks);
		put_fields(e, entry);
		perfetto_end_instant(&e->file, event);
	}
	free(text);
}

static u32 extra_track(struct export_perfetto *e, const struct entry *entry)
{
	switch (entry->extra->kind) {
	case EXTRA_LOG:
		return TRACK_LOG;
	case EXTRA_MCE:
		return TRACK_MCES;
	}
	return perfetto_cpu_track(&e->file, entry->cpu);
}

static void put_loss(struct export_perfetto *e, const struct entry *entry)
{
	char name[80] = "lost: how many is not known";
	bool counted = entry->extra || (entry->marks & ENTRY_LOST_COUNTED);
	u32 track = entry->extra ? extra_track(e, entry) : perfetto_cpu_track(&e->file, entry->cpu);
	u32 event;

	if (counted)
		snprintf(name, sizeof(name), "lost: %llu", entry->nr_lost);
	event = perfetto_begin_instant(&e->file, entry->time, track, name);
	perfetto_note_who(&e->file, entry->cpu, -1, NULL);
	if (counted)
		perfetto_note_number(&e->file, "lost", entry->nr_lost);
	perfetto_end_instant(&e->file, event);
}

static void put_no_event(struct export_perfetto *e, const struct entry *entry)
{
	bool torn = entry->kind == ENTRY_TORN;
	u32 track = perfetto_cpu_track(&e->file, entry->cpu);
	u32 event = perfetto_begin_instant(&e->file, entry->time, track,
					   torn ? "unfinished event" : "damaged events");

	perfetto_note_who(&e->file, entry->cpu, -1, NULL);
	if (torn)
		perfetto_note_number(&e->file, "bytes", entry->size);
	else
		perfetto_note_number(&e->file, "withheld", entry->nr_lost);
	perfetto_end_instant(&e->file, event);
}

static u64 hash(const char *text)
{
	u64 value = 14695981039346656037ULL;	/* FNV-1a */

	while (*text)
		value = (value ^ (u8)*text++) * 1099511628211ULL;
	return value;
}

/* Once for each thread, and when its name is another. */
static void put_thread(struct export_perfetto *e, const struct entry *entry)
{
	u64 *told = &e->names[entry->pid % NR_NAMES];
	u64 is = entry->comm ? hash(entry->comm) ^ entry->pid : 0;
	u32 rename;

	if (!entry->comm || !entry->pid || *told == is)
		return;
	*told = is;
	perfetto_close_bundle(&e->file);
	perfetto_begin(&e->file, SEQUENCE_FTRACE);
	proto_u64(&e->file.p, PACKET_TIMESTAMP, entry->time);
	proto_u64(&e->file.p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	rename = proto_begin(&e->file.p, PACKET_TASK_RENAME);
	proto_u64(&e->file.p, RENAME_TID, entry->pid);
	proto_text(&e->file.p, RENAME_COMM, entry->comm, strlen(entry->comm));
	proto_end(&e->file.p, rename);
	perfetto_end(&e->file);
}

static void put_event(struct export_perfetto *e, const struct entry *entry)
{
	if (entry->cpu >= PERFETTO_MAX_CPU || entry->pid < 0) {
		perfetto_close_bundle(&e->file);
		return put_instant(e, entry, perfetto_cpu_track(&e->file, entry->cpu));
	}
	put_thread(e, entry);
	perfetto_open_bundle(&e->file, entry);
	if (perfetto_event(&e->file.p, entry, e->leaders))
		return;
	/* More fields than a message may have: as text, which is limited. */
	perfetto_close_bundle(&e->file);
	put_instant(e, entry, perfetto_cpu_track(&e->file, entry->cpu));
}

static void put_crash(struct export_perfetto *e)
{
	const struct account_end *end = &e->account->end;
	char reason[sizeof(end->reason) * 4 + 16] = "CRASH: ";
	u32 event;

	if (end->how == FATE_ENDED)
		strcpy(reason, "END: ");
	err_escape(reason + strlen(reason), sizeof(reason) - 16, end->reason,
		   strnlen(end->reason, sizeof(end->reason)));
	perfetto_close_bundle(&e->file);
	event = perfetto_begin_instant(&e->file, end->time, TRACK_CRASH, reason);
	perfetto_note_who(&e->file, end->cpu, end->pid, *end->comm ? end->comm : NULL);
	perfetto_end_instant(&e->file, event);
}

static void put_mark(struct export_perfetto *e, const struct trace_mark *mark)
{
	const struct trace *trace = e->account->trace;
	char text[sizeof(mark->text) * 4];
	u32 event;

	err_escape(text, sizeof(text), mark->text, strnlen(mark->text, sizeof(mark->text)));
	perfetto_close_bundle(&e->file);
	event = perfetto_begin_instant(&e->file, clock_mono(&trace->clock, mark->clock), TRACK_MARKS, text);
	perfetto_note_who(&e->file, mark->cpu, -1, NULL);
	perfetto_end_instant(&e->file, event);
}

static void put_marks(struct export_perfetto *e)
{
	const struct trace *trace = e->account->trace;
	u32 i;

	for (i = 0; trace && i < trace->nr_marks; i++)
		put_mark(e, &trace->marks[i]);
}

static void put_entry(struct export_perfetto *e, const struct entry *entry)
{
	if (!e->has_clock)
		put_clocks(e, entry->time, account_real(e->account, entry));
	if (entry->marks & ENTRY_LOST_BEFORE) {
		perfetto_close_bundle(&e->file);
		put_loss(e, entry);
	}
	if (entry->kind == ENTRY_EVENT)
		return put_event(e, entry);
	perfetto_close_bundle(&e->file);
	if (entry->kind == ENTRY_EXTRA)
		put_instant(e, entry, extra_track(e, entry));
	else
		put_no_event(e, entry);
}

static void put_cpu_stats(struct export_perfetto *e, u32 cpu)
{
	const struct trace *trace = e->account->trace;
	u64 entries = 0, lost = 0;
	u32 stats, i;

	for (i = 0; i < trace->nr_rings; i++) {
		if (trace->rings[i].cpu != cpu)
			continue;
		entries += trace->rings[i].scan.nr_events;
		lost += trace->rings[i].scan.lost_last - trace->rings[i].scan.lost_first;
	}
	stats = proto_begin(&e->file.p, STATS_CPU_STATS);
	proto_u64(&e->file.p, CPU_STATS_CPU, cpu);
	proto_u64(&e->file.p, CPU_STATS_ENTRIES, entries);
	proto_u64(&e->file.p, CPU_STATS_DROPPED_EVENTS, lost);
	proto_end(&e->file.p, stats);
}

/* Of the recorder's rings, all channels of a CPU together. */
static void put_stats(struct export_perfetto *e)
{
	const struct trace *trace = e->account->trace;
	bool done[PERFETTO_MAX_CPU] = { false };
	u32 stats, i;

	if (!trace)
		return;
	perfetto_begin(&e->file, SEQUENCE_FTRACE);
	stats = proto_begin(&e->file.p, PACKET_FTRACE_STATS);
	proto_u64(&e->file.p, STATS_PHASE, PERFETTO_END_OF_TRACE);
	for (i = 0; i < trace->nr_rings; i++) {
		u32 cpu = trace->rings[i].cpu;

		if (cpu >= PERFETTO_MAX_CPU || done[cpu])
			continue;
		done[cpu] = true;
		put_cpu_stats(e, cpu);
	}
	proto_end(&e->file.p, stats);
	perfetto_end(&e->file);
}

static int run(struct export_perfetto *e, const struct window *window, struct err *err)
{
	struct window_walk walk = window_walk(window);
	enum window_step step = WINDOW_PASS;
	const struct entry *entry;
	struct timeline *tl;
	int ret = timeline_open(&tl, e->account, window->from, window->damaged, err);

	if (ret)
		return ret;
	if (e->account->end.real_ns)
		put_clocks(e, e->account->end.time, e->account->end.real_ns);
	while (step != WINDOW_STOP && !ferror(e->file.f) && (entry = timeline_next(tl))) {
		step = window_step(&walk, entry);
		if (step == WINDOW_SHOW)
			put_entry(e, entry);
	}
	perfetto_close_bundle(&e->file);
	timeline_close(tl);
	put_marks(e);
	if (e->account->end.how != FATE_UNKNOWN)
		put_crash(e);
	put_stats(e);
	return 0;
}

int export_perfetto(FILE *f, struct account *account, const struct window *window,
		    struct err *err)
{
	struct export_perfetto e = { .file.f = f, .account = account };
	int ret = render_new(&e.render, account, err);

	if (ret)
		return ret;
	e.names = calloc(NR_NAMES, sizeof(*e.names));
	if (proto_init(&e.file.p) && e.names) {
		perfetto_describe_tracks(&e.file);
		ret = run(&e, window, err);
	} else {
		ret = err_sys(err, "memory");
	}
	proto_free(&e.file.p);
	free(e.names);
	render_free(e.render);
	return ret;
}
