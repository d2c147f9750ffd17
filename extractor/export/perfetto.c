// SPDX-License-Identifier: GPL-2.0-or-later
/* Perfetto's protobuf; docs/perfetto.md */
#include "export.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "perfetto_packet.h"
#include "timeline/joint_show.h"

#define NR_NAMES	16384		/* threads whose last written name is remembered */
#define MAX_NAME	512		/* characters of an instant's name */

/* A guest of a joint timeline: its CPUs' tracks begin at @track. */
struct perfetto_guest {
	struct render *render;
	u32 track;
};

/**
 * struct export_perfetto - one export
 * @guests: of a joint timeline
 * @names: a hash of the last written name, by the low bits of the pid
 * @has_clock: the clock snapshot is written
 */
struct export_perfetto {
	struct perfetto_file file;
	struct postmortem *pm;
	struct render *render;
	struct perfetto_guest guests[JOINT_GUESTS_MAX];
	u64 *names;
	bool has_clock;
	struct slice_source leaders[PERFETTO_NR_TYPED];
};

static void put_clock_snapshot(struct export_perfetto *e, u32 id, u64 ns)
{
	u32 clock = protobuf_begin(&e->file.p, SNAPSHOT_CLOCKS);

	protobuf_u64(&e->file.p, CLOCK_CLOCK_ID, id);
	protobuf_u64(&e->file.p, CLOCK_TIMESTAMP, ns);
	protobuf_end(&e->file.p, clock);
}

/* Trace processor takes ftrace's times for CLOCK_BOOTTIME: how far that was ahead is not recorded. */
static void put_clocks(struct export_perfetto *e, u64 mono_ns, u64 real_ns)
{
	u32 snapshot;

	perfetto_begin(&e->file, SEQUENCE_TRACKS);
	protobuf_u64(&e->file.p, PACKET_TIMESTAMP, mono_ns);
	protobuf_u64(&e->file.p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	snapshot = protobuf_begin(&e->file.p, PACKET_CLOCK_SNAPSHOT);
	put_clock_snapshot(e, PERFETTO_MONOTONIC, mono_ns);
	put_clock_snapshot(e, PERFETTO_BOOTTIME, mono_ns);
	if (real_ns)
		put_clock_snapshot(e, PERFETTO_REALTIME, real_ns);
	protobuf_u64(&e->file.p, SNAPSHOT_PRIMARY, PERFETTO_MONOTONIC);
	protobuf_end(&e->file.p, snapshot);
	perfetto_end(&e->file);
	e->has_clock = true;
}

/* As the JSON export has them: trace processor makes arguments of it. */
static void put_item_fields(struct export_perfetto *e, const struct item *item)
{
	struct json j = { 0 };
	char *text = NULL;
	size_t size = 0;
	u32 annotation;

	j.f = open_memstream(&text, &size);
	if (!j.f)
		return;
	render_fields(&j, NULL, item);
	json_flush(&j);
	if (!fclose(j.f)) {
		annotation = protobuf_begin(&e->file.p, EVENT_DEBUG_ANNOTATIONS);
		protobuf_str(&e->file.p, ANNOTATION_NAME, "fields");
		protobuf_bytes(&e->file.p, ANNOTATION_JSON, text, size);
		if (e->file.p.full)
			protobuf_drop(&e->file.p, annotation);
		else
			protobuf_end(&e->file.p, annotation);
	}
	free(text);
}

/* Cut between characters. */
static void cut_name(char *text, size_t max)
{
	size_t n = strnlen(text, max + 1);

	if (n <= max)
		return;
	while (max && ((unsigned char)text[max] & 0xc0) == 0x80)
		max--;
	text[max] = 0;
}

static void put_instant(struct export_perfetto *e, const struct item *item, u32 track)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	char marks[80];
	u32 event;

	if (!f)
		return;
	render_text(e->render, f, item);
	if (!fclose(f)) {
		cut_name(text, MAX_NAME);
		event = perfetto_begin_instant(&e->file, item->time, track, text);
		perfetto_note_who(&e->file, item->cpu, item->pid, item->comm);
		perfetto_note_text(&e->file, "event", item_name(item));
		perfetto_marks(marks, sizeof(marks), item);
		if (*marks)
			perfetto_note_text(&e->file, "marks", marks);
		put_item_fields(e, item);
		perfetto_end_instant(&e->file, event);
	}
	free(text);
}

static u32 extra_track(struct export_perfetto *e, const struct item *item)
{
	switch (item->extra->kind) {
	case AUX_EVENT_LOG:
		return TRACK_LOG;
	case AUX_EVENT_MCE:
		return TRACK_MCES;
	}
	return perfetto_cpu_track(&e->file, item->cpu);
}

static void put_loss(struct export_perfetto *e, const struct item *item)
{
	char name[80] = "lost: how many is not known";
	bool counted = item->extra || (item->marks & ITEM_LOST_COUNTED);
	u32 track = item->extra ? extra_track(e, item) : perfetto_cpu_track(&e->file, item->cpu);
	u32 event;

	if (counted)
		snprintf(name, sizeof(name), "lost: %llu", item->nr_lost);
	event = perfetto_begin_instant(&e->file, item->time, track, name);
	perfetto_note_who(&e->file, item->cpu, -1, NULL);
	if (counted)
		perfetto_note_number(&e->file, "lost", item->nr_lost);
	perfetto_end_instant(&e->file, event);
}

static void put_no_event(struct export_perfetto *e, const struct item *item)
{
	bool torn = item->kind == ITEM_TORN;
	u32 track = perfetto_cpu_track(&e->file, item->cpu);
	u32 event = perfetto_begin_instant(&e->file, item->time, track,
					   torn ? "unfinished event" : "damaged events");

	perfetto_note_who(&e->file, item->cpu, -1, NULL);
	if (torn)
		perfetto_note_number(&e->file, "bytes", item->size);
	else
		perfetto_note_number(&e->file, "withheld", item->nr_lost);
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
static void put_thread(struct export_perfetto *e, const struct item *item)
{
	u64 *written = &e->names[item->pid % NR_NAMES];
	u64 is = item->comm ? hash(item->comm) ^ item->pid : 0;
	u32 rename;

	if (!item->comm || !item->pid || *written == is)
		return;
	*written = is;
	perfetto_close_bundle(&e->file);
	perfetto_begin(&e->file, SEQUENCE_FTRACE);
	protobuf_u64(&e->file.p, PACKET_TIMESTAMP, item->time);
	protobuf_u64(&e->file.p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	rename = protobuf_begin(&e->file.p, PACKET_TASK_RENAME);
	protobuf_u64(&e->file.p, RENAME_TID, item->pid);
	protobuf_text(&e->file.p, RENAME_COMM, item->comm, strlen(item->comm));
	protobuf_end(&e->file.p, rename);
	perfetto_end(&e->file);
}

static void put_event(struct export_perfetto *e, const struct item *item)
{
	if (item->cpu >= PERFETTO_MAX_CPU || item->pid < 0) {
		perfetto_close_bundle(&e->file);
		return put_instant(e, item, perfetto_cpu_track(&e->file, item->cpu));
	}
	put_thread(e, item);
	perfetto_open_bundle(&e->file, item);
	if (perfetto_event(&e->file.p, item, e->leaders))
		return;
	/* More fields than a message may have: as text, which is limited. */
	perfetto_close_bundle(&e->file);
	put_instant(e, item, perfetto_cpu_track(&e->file, item->cpu));
}

/* The crash, or the orderly end. */
static void put_end(struct export_perfetto *e)
{
	const struct postmortem_end *end = &e->pm->end;
	char reason[sizeof(end->reason) * 4 + 16] = "CRASH: ";
	u32 event;

	if (end->how == OUTCOME_ENDED)
		strcpy(reason, "END: ");
	escape_text(reason + strlen(reason), sizeof(reason) - 16, end->reason,
		   strnlen(end->reason, sizeof(end->reason)));
	perfetto_close_bundle(&e->file);
	event = perfetto_begin_instant(&e->file, end->time, TRACK_CRASH, reason);
	perfetto_note_who(&e->file, end->cpu, end->pid, *end->comm ? end->comm : NULL);
	perfetto_end_instant(&e->file, event);
}

static void put_mark(struct export_perfetto *e, const struct item *item)
{
	const struct recording_mark *mark = item->mark;
	char text[sizeof(mark->text) * 4];
	u32 event;

	escape_text(text, sizeof(text), mark->text, strnlen(mark->text, sizeof(mark->text)));
	perfetto_close_bundle(&e->file);
	event = perfetto_begin_instant(&e->file, item->time, TRACK_MARKS, text);
	perfetto_note_who(&e->file, item->cpu, -1, NULL);
	perfetto_end_instant(&e->file, event);
}

/* Its flag says that events are lost, and no event of it follows. */
static void put_empty_bundle(struct export_perfetto *e, const struct item *item)
{
	if (item->cpu >= PERFETTO_MAX_CPU)
		return;
	perfetto_open_bundle(&e->file, item);
	perfetto_close_bundle(&e->file);
}

static void put_item(struct export_perfetto *e, const struct item *item)
{
	if (!e->has_clock)
		put_clocks(e, item->time, pm_real(e->pm, item));
	if (item->marks & ITEM_LOST_BEFORE) {
		perfetto_close_bundle(&e->file);
		put_loss(e, item);
	}
	if (item->kind == ITEM_LOSS)
		return put_empty_bundle(e, item);
	if (item->kind == ITEM_EVENT)
		return put_event(e, item);
	if (item->kind == ITEM_MARK)
		return put_mark(e, item);
	if (item->kind == ITEM_CRASH)
		return put_end(e);
	perfetto_close_bundle(&e->file);
	if (item->kind == ITEM_EXTRA)
		put_instant(e, item, extra_track(e, item));
	else
		put_no_event(e, item);
}

static void put_cpu_stats(struct export_perfetto *e, u32 cpu)
{
	const struct recording *recording = e->pm->recording;
	u64 entries = 0, lost = 0;
	u32 stats, i;

	for (i = 0; i < recording->nr_rings; i++) {
		if (recording->rings[i].cpu != cpu)
			continue;
		entries += recording->rings[i].scan.nr_events;
		lost += recording->rings[i].scan.lost_last - recording->rings[i].scan.lost_first;
	}
	stats = protobuf_begin(&e->file.p, STATS_CPU_STATS);
	protobuf_u64(&e->file.p, CPU_STATS_CPU, cpu);
	protobuf_u64(&e->file.p, CPU_STATS_ENTRIES, entries);
	protobuf_u64(&e->file.p, CPU_STATS_DROPPED_EVENTS, lost);
	protobuf_end(&e->file.p, stats);
}

/* Of the recorder's rings, all channels of a CPU together. */
static void put_trace_stats(struct export_perfetto *e)
{
	const struct recording *recording = e->pm->recording;
	bool done[PERFETTO_MAX_CPU] = { false };
	u32 stats, i;

	if (!recording)
		return;
	perfetto_begin(&e->file, SEQUENCE_FTRACE);
	stats = protobuf_begin(&e->file.p, PACKET_FTRACE_STATS);
	protobuf_u64(&e->file.p, STATS_PHASE, PERFETTO_END_OF_TRACE);
	for (i = 0; i < recording->nr_rings; i++) {
		u32 cpu = recording->rings[i].cpu;

		if (cpu >= PERFETTO_MAX_CPU || done[cpu])
			continue;
		done[cpu] = true;
		put_cpu_stats(e, cpu);
	}
	protobuf_end(&e->file.p, stats);
	perfetto_end(&e->file);
}

static int put_perfetto_trace(struct export_perfetto *e, const struct window *window, struct err *err)
{
	struct window_walk walk = window_walk(window);
	const struct item *item;
	struct timeline *tl;
	int ret = timeline_open(&tl, e->pm, window->from, window->damaged, err);

	if (ret)
		return ret;
	if (e->pm->end.real_ns)
		put_clocks(e, e->pm->end.time, e->pm->end.real_ns);
	while (!ferror(e->file.f) && (item = window_next(&walk, tl)))
		put_item(e, item);
	perfetto_close_bundle(&e->file);
	timeline_close(tl);
	if (e->pm->end.how == OUTCOME_ENDED)
		put_end(e);
	put_trace_stats(e);
	return 0;
}

/* --- with guests ----------------------------------------------------------- */

static int describe_guests(struct export_perfetto *e, struct joint *joint, struct err *err)
{
	char escaped[KVM_NAME_MAX * 4], name[sizeof(escaped) + 24];
	u32 track = TRACK_GUESTS;

	for (u32 i = 0; i < joint->nr; i++) {
		struct joint_guest *guest = &joint->list[i];
		int ret = render_new(&e->guests[i].render, &guest->pm, err);

		if (ret)
			return ret;
		e->guests[i].track = track;
		escape_text(escaped, sizeof(escaped), guest->name, strlen(guest->name));
		for (u32 k = 0; k < guest->vm->nr_vcpus; k++, track += PERFETTO_VCPU_TRACKS) {
			snprintf(name, sizeof(name), "guest %s, CPU %u", escaped, k);
			perfetto_describe_vcpu(&e->file, track, guest->vm->pid, guest->vm->vcpus[k].pid, name);
		}
	}
	return 0;
}

/* What is of no CPU is shown with the first. */
static u32 guest_track(const struct export_perfetto *e, const struct joint *joint, const struct joint_guest *guest, u32 cpu)
{
	return e->guests[guest - joint->list].track + PERFETTO_VCPU_TRACKS * (cpu < guest->vm->nr_vcpus ? cpu : 0);
}

static void put_guest_end_of_kernel(struct export_perfetto *e, const struct item *item, const struct postmortem_end *end, u32 track)
{
	char reason[sizeof(end->reason) * 4 + 16] = "CRASH: ";

	escape_text(reason + strlen(reason), sizeof(reason) - 16, end->reason, strnlen(end->reason, sizeof(end->reason)));
	perfetto_end_instant(&e->file, perfetto_begin_instant(&e->file, item->time, track, reason));
}

static void put_guest_item(struct export_perfetto *e, const struct joint *joint, const struct joint_event *event)
{
	const struct item *item = event->item;
	u32 track = guest_track(e, joint, event->guest, item->cpu) + 1;
	struct render *own = e->render;

	perfetto_close_bundle(&e->file);
	if (item->kind == ITEM_CRASH)
		return put_guest_end_of_kernel(e, item, &event->guest->pm.end, track);
	if (!item_happened(item))
		return;
	e->render = e->guests[event->guest - joint->list].render;
	put_instant(e, item, track);
	e->render = own;
}

static void put_gap(struct export_perfetto *e, const struct joint *joint, const struct vcpu_wait *wait)
{
	char words[VCPU_WAIT_WORDS];

	vcpu_wait_words(words, sizeof(words), wait);
	perfetto_close_bundle(&e->file);
	perfetto_put_slice(&e->file, wait->from, wait->to, guest_track(e, joint, wait->guest, wait->cpu) + 2, words);
}

static int put_joint_trace(struct export_perfetto *e, struct joint *joint, struct joint_window *window, struct err *err)
{
	struct joint_shown shown;
	struct joint_show *show;
	int ret = joint_show_open(&show, joint, window, 0, err);

	if (ret)
		return ret;
	if (e->pm->end.real_ns)
		put_clocks(e, e->pm->end.time, e->pm->end.real_ns);
	while (!ferror(e->file.f) && joint_show_next(show, &shown)) {
		if (shown.wait)
			put_gap(e, joint, shown.wait);
		else if (shown.event->guest)
			put_guest_item(e, joint, shown.event);
		else
			put_item(e, shown.event->item);
	}
	perfetto_close_bundle(&e->file);
	joint_show_close(show);
	if (e->pm->end.how == OUTCOME_ENDED)
		put_end(e);
	put_trace_stats(e);
	return 0;
}

static int put_joint(struct export_perfetto *e, struct joint *joint, const struct window *asked, struct err *err)
{
	struct joint_window window;
	int ret = joint_window_choose(&window, asked, joint, err);

	if (!ret)
		ret = describe_guests(e, joint, err);
	if (!ret)
		ret = put_joint_trace(e, joint, &window, err);
	for (u32 i = 0; i < joint->nr; i++)
		render_free(e->guests[i].render);
	return ret;
}

/* @joint: NULL: @pm alone */
static int write_perfetto(FILE *f, struct postmortem *pm, struct joint *joint, const struct window *window,
			  struct err *err)
{
	struct export_perfetto e = { .file.f = f, .pm = pm };
	int ret = render_new(&e.render, pm, err);

	if (ret)
		return ret;
	e.names = calloc(NR_NAMES, sizeof(*e.names));
	if (protobuf_init(&e.file.p) && e.names) {
		perfetto_describe_tracks(&e.file);
		ret = joint ? put_joint(&e, joint, window, err) : put_perfetto_trace(&e, window, err);
	} else {
		ret = err_sys(err, "memory");
	}
	protobuf_free(&e.file.p);
	free(e.names);
	render_free(e.render);
	return ret;
}

int export_perfetto(FILE *f, struct postmortem *pm, const struct window *window,
		    struct err *err)
{
	return write_perfetto(f, pm, NULL, window, err);
}

int export_perfetto_joint(FILE *f, struct joint *joint, const struct window *window, struct err *err)
{
	return write_perfetto(f, joint->host, joint, window, err);
}
