// SPDX-License-Identifier: GPL-2.0-or-later
/* Perfetto's protobuf; docs/perfetto.md */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "err.h"
#include "perfetto.h"
#include "text.h"

#define BUNDLE_BYTES	65536		/* of one CPU, then it is written */
#define NR_NAMES	16384		/* threads whose names are remembered as told */
#define MAX_NAME	512		/* characters of an instant's name */

enum sequence {
	SEQUENCE_TRACKS = 1,
	SEQUENCE_FTRACE = 2,
};

enum track {
	TRACK_CRASH = 1,
	TRACK_MCES,
	TRACK_LOG,
	TRACK_MARKS,
	TRACK_CPUS = 16,	/* and up: what is no event of a CPU, or of nobody */
};

/**
 * struct export_perfetto - one under way
 * @p: the packet; @bundle of @cpu is open in it, if not 0
 * @names: a hash of the name that was told last, by the low bits of the pid
 * @has_clock: clocks were told
 * @tracks: which of TRACK_CPUS were described
 */
struct export_perfetto {
	FILE *f;
	struct account *account;
	struct render *render;
	struct proto p;
	u32 packet;
	u32 bundle;
	u32 cpu;
	u64 *names;
	bool has_clock;
	struct leader leaders[PERFETTO_NR_TYPED];
	bool sequence_begun[SEQUENCE_FTRACE + 1];
	bool tracks[PERFETTO_MAX_CPU + 1];
};

static void begin_packet(struct export_perfetto *e, enum sequence sequence)
{
	proto_reset(&e->p);
	e->packet = proto_begin(&e->p, TRACE_PACKET);
	proto_u64(&e->p, PACKET_SEQUENCE_ID, sequence);
	if (!e->sequence_begun[sequence])
		proto_u64(&e->p, PACKET_SEQUENCE_FLAGS, PERFETTO_STATE_CLEARED);
	e->sequence_begun[sequence] = true;
}

static void write_packet(struct export_perfetto *e)
{
	proto_end(&e->p, e->packet);
	fwrite(e->p.data, 1, e->p.size, e->f);
	proto_reset(&e->p);
}

static void close_bundle(struct export_perfetto *e)
{
	if (!e->bundle)
		return;
	proto_end(&e->p, e->bundle);
	e->bundle = 0;
	write_packet(e);
}

static void open_bundle(struct export_perfetto *e, const struct entry *entry)
{
	if (e->bundle && e->cpu == entry->cpu && e->p.size < BUNDLE_BYTES &&
	    !(entry->marks & ENTRY_LOST_BEFORE))
		return;
	close_bundle(e);
	begin_packet(e, SEQUENCE_FTRACE);
	e->bundle = proto_begin(&e->p, PACKET_FTRACE_EVENTS);
	e->cpu = entry->cpu;
	proto_u64(&e->p, BUNDLE_CPU, entry->cpu);
	if (entry->marks & ENTRY_LOST_BEFORE)
		proto_u64(&e->p, BUNDLE_LOST_EVENTS, 1);
}

static void put_clock(struct export_perfetto *e, u32 id, u64 ns)
{
	u32 clock = proto_begin(&e->p, SNAPSHOT_CLOCKS);

	proto_u64(&e->p, CLOCK_CLOCK_ID, id);
	proto_u64(&e->p, CLOCK_TIMESTAMP, ns);
	proto_end(&e->p, clock);
}

/* Trace processor takes ftrace's times for CLOCK_BOOTTIME: how far that was ahead is not recorded. */
static void put_clocks(struct export_perfetto *e, u64 mono_ns, u64 real_ns)
{
	u32 snapshot;

	begin_packet(e, SEQUENCE_TRACKS);
	proto_u64(&e->p, PACKET_TIMESTAMP, mono_ns);
	proto_u64(&e->p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	snapshot = proto_begin(&e->p, PACKET_CLOCK_SNAPSHOT);
	put_clock(e, PERFETTO_MONOTONIC, mono_ns);
	put_clock(e, PERFETTO_BOOTTIME, mono_ns);
	if (real_ns)
		put_clock(e, PERFETTO_REALTIME, real_ns);
	proto_u64(&e->p, SNAPSHOT_PRIMARY, PERFETTO_MONOTONIC);
	proto_end(&e->p, snapshot);
	write_packet(e);
	e->has_clock = true;
}

static void describe_track(struct export_perfetto *e, u32 uuid, const char *name,
			   const char *description)
{
	u32 track;

	begin_packet(e, SEQUENCE_TRACKS);
	track = proto_begin(&e->p, PACKET_TRACK_DESCRIPTOR);
	proto_u64(&e->p, TRACK_UUID, uuid);
	proto_str(&e->p, TRACK_NAME, name);
	proto_str(&e->p, TRACK_DESCRIPTION, description);
	proto_end(&e->p, track);
	write_packet(e);
}

static void describe_tracks(struct export_perfetto *e)
{
	describe_track(e, TRACK_CRASH, "Crash", "how the kernel ended");
	describe_track(e, TRACK_MCES, "Machine checks", "errors that the hardware reported");
	describe_track(e, TRACK_LOG, "Kernel log", "lines that the kernel logged");
	describe_track(e, TRACK_MARKS, "Marks", "set by people and by sysrq");
}

/* The track for what is no event of a CPU's own tracks. */
static u32 cpu_track(struct export_perfetto *e, u32 cpu)
{
	u32 i = cpu < PERFETTO_MAX_CPU ? cpu : PERFETTO_MAX_CPU;
	char name[40] = "CPU not known, or above 1023";

	if (i < PERFETTO_MAX_CPU)
		snprintf(name, sizeof(name), "CPU %u: lost, damaged", cpu);
	if (!e->tracks[i])
		describe_track(e, TRACK_CPUS + i, name,
			       "lost and damaged events, and events of a thread that is not known");
	e->tracks[i] = true;
	return TRACK_CPUS + i;
}

static u32 begin_instant(struct export_perfetto *e, u64 ns, u32 track, const char *name)
{
	u32 event;

	begin_packet(e, SEQUENCE_TRACKS);
	proto_u64(&e->p, PACKET_TIMESTAMP, ns);
	proto_u64(&e->p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	event = proto_begin(&e->p, PACKET_TRACK_EVENT);
	proto_u64(&e->p, EVENT_TYPE, PERFETTO_INSTANT);
	proto_u64(&e->p, EVENT_TRACK_UUID, track);
	proto_str(&e->p, EVENT_CATEGORIES, "epitaph");
	proto_str(&e->p, EVENT_NAME, name);
	return event;
}

static void end_instant(struct export_perfetto *e, u32 event)
{
	proto_end(&e->p, event);
	write_packet(e);
}

static void put_number(struct export_perfetto *e, const char *name, s64 value)
{
	u32 annotation = proto_begin(&e->p, EVENT_DEBUG_ANNOTATIONS);

	proto_str(&e->p, ANNOTATION_NAME, name);
	proto_u64(&e->p, ANNOTATION_INT, value);
	proto_end(&e->p, annotation);
}

static void put_text(struct export_perfetto *e, const char *name, const char *text)
{
	u32 annotation = proto_begin(&e->p, EVENT_DEBUG_ANNOTATIONS);

	proto_str(&e->p, ANNOTATION_NAME, name);
	proto_text(&e->p, ANNOTATION_STRING, text, strlen(text));
	proto_end(&e->p, annotation);
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
		annotation = proto_begin(&e->p, EVENT_DEBUG_ANNOTATIONS);
		proto_str(&e->p, ANNOTATION_NAME, "fields");
		proto_bytes(&e->p, ANNOTATION_JSON, text, size);
		if (e->p.full)
			proto_drop(&e->p, annotation);
		else
			proto_end(&e->p, annotation);
	}
	free(text);
}

static void put_who(struct export_perfetto *e, u32 cpu, s64 pid, const char *comm)
{
	if (cpu != NO_CPU)
		put_number(e, "cpu", cpu);
	if (pid >= 0)
		put_number(e, "pid", pid);
	if (comm)
		put_text(e, "comm", comm);
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
		event = begin_instant(e, entry->time, track, text);
		put_who(e, entry->cpu, entry->pid, entry->comm);
		put_text(e, "event", entry_name(entry));
		perfetto_marks(marks, sizeof(marks), entry);
		if (*marks)
			put_text(e, "marks", marks);
		put_fields(e, entry);
		end_instant(e, event);
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
	return cpu_track(e, entry->cpu);
}

static void put_loss(struct export_perfetto *e, const struct entry *entry)
{
	char name[80] = "lost: how many is not known";
	bool counted = entry->extra || (entry->marks & ENTRY_LOST_COUNTED);
	u32 track = entry->extra ? extra_track(e, entry) : cpu_track(e, entry->cpu);
	u32 event;

	if (counted)
		snprintf(name, sizeof(name), "lost: %llu", entry->nr_lost);
	event = begin_instant(e, entry->time, track, name);
	put_who(e, entry->cpu, -1, NULL);
	if (counted)
		put_number(e, "lost", entry->nr_lost);
	end_instant(e, event);
}

static void put_no_event(struct export_perfetto *e, const struct entry *entry)
{
	bool torn = entry->kind == ENTRY_TORN;
	u32 event = begin_instant(e, entry->time, cpu_track(e, entry->cpu),
				  torn ? "unfinished event" : "damaged events");

	put_who(e, entry->cpu, -1, NULL);
	if (torn)
		put_number(e, "bytes", entry->size);
	else
		put_number(e, "withheld", entry->nr_lost);
	end_instant(e, event);
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
	close_bundle(e);
	begin_packet(e, SEQUENCE_FTRACE);
	proto_u64(&e->p, PACKET_TIMESTAMP, entry->time);
	proto_u64(&e->p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	rename = proto_begin(&e->p, PACKET_TASK_RENAME);
	proto_u64(&e->p, RENAME_TID, entry->pid);
	proto_text(&e->p, RENAME_COMM, entry->comm, strlen(entry->comm));
	proto_end(&e->p, rename);
	write_packet(e);
}

static void put_event(struct export_perfetto *e, const struct entry *entry)
{
	if (entry->cpu >= PERFETTO_MAX_CPU || entry->pid < 0) {
		close_bundle(e);
		return put_instant(e, entry, cpu_track(e, entry->cpu));
	}
	put_thread(e, entry);
	open_bundle(e, entry);
	if (perfetto_event(&e->p, entry, e->leaders))
		return;
	/* More fields than a message may have: as text, which is limited. */
	close_bundle(e);
	put_instant(e, entry, cpu_track(e, entry->cpu));
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
	close_bundle(e);
	event = begin_instant(e, end->time, TRACK_CRASH, reason);
	put_who(e, end->cpu, end->pid, *end->comm ? end->comm : NULL);
	end_instant(e, event);
}

static void put_mark(struct export_perfetto *e, const struct trace_mark *mark)
{
	const struct trace *trace = e->account->trace;
	char text[sizeof(mark->text) * 4];
	u32 event;

	err_escape(text, sizeof(text), mark->text, strnlen(mark->text, sizeof(mark->text)));
	close_bundle(e);
	event = begin_instant(e, clock_mono(&trace->clock, mark->clock), TRACK_MARKS, text);
	put_who(e, mark->cpu, -1, NULL);
	end_instant(e, event);
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
		close_bundle(e);
		put_loss(e, entry);
	}
	if (entry->kind == ENTRY_EVENT)
		return put_event(e, entry);
	close_bundle(e);
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
	stats = proto_begin(&e->p, STATS_CPU_STATS);
	proto_u64(&e->p, CPU_STATS_CPU, cpu);
	proto_u64(&e->p, CPU_STATS_ENTRIES, entries);
	proto_u64(&e->p, CPU_STATS_DROPPED_EVENTS, lost);
	proto_end(&e->p, stats);
}

/* Of the recorder's rings, all channels of a CPU together. */
static void put_stats(struct export_perfetto *e)
{
	const struct trace *trace = e->account->trace;
	bool done[PERFETTO_MAX_CPU] = { false };
	u32 stats, i;

	if (!trace)
		return;
	begin_packet(e, SEQUENCE_FTRACE);
	stats = proto_begin(&e->p, PACKET_FTRACE_STATS);
	proto_u64(&e->p, STATS_PHASE, PERFETTO_END_OF_TRACE);
	for (i = 0; i < trace->nr_rings; i++) {
		u32 cpu = trace->rings[i].cpu;

		if (cpu >= PERFETTO_MAX_CPU || done[cpu])
			continue;
		done[cpu] = true;
		put_cpu_stats(e, cpu);
	}
	proto_end(&e->p, stats);
	write_packet(e);
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
	while (step != WINDOW_STOP && !ferror(e->f) && (entry = timeline_next(tl))) {
		step = window_step(&walk, entry);
		if (step == WINDOW_SHOW)
			put_entry(e, entry);
	}
	close_bundle(e);
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
	struct export_perfetto e = { .f = f, .account = account };
	int ret = render_new(&e.render, account, err);

	if (ret)
		return ret;
	e.names = calloc(NR_NAMES, sizeof(*e.names));
	if (proto_init(&e.p) && e.names) {
		describe_tracks(&e);
		ret = run(&e, window, err);
	} else {
		ret = err_sys(err, "memory");
	}
	proto_free(&e.p);
	free(e.names);
	render_free(e.render);
	return ret;
}
