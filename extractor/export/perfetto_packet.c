// SPDX-License-Identifier: GPL-2.0-or-later
#include "perfetto_packet.h"

#include <string.h>

#define BUNDLE_BYTES	65536		/* of one CPU, then it is written */

void perfetto_begin(struct perfetto_file *file, enum perfetto_sequence sequence)
{
	protobuf_reset(&file->p);
	file->packet = protobuf_begin(&file->p, TRACE_PACKET);
	protobuf_u64(&file->p, PACKET_SEQUENCE_ID, sequence);
	if (!file->sequence_begun[sequence])
		protobuf_u64(&file->p, PACKET_SEQUENCE_FLAGS, PERFETTO_STATE_CLEARED);
	file->sequence_begun[sequence] = true;
}

void perfetto_end(struct perfetto_file *file)
{
	protobuf_end(&file->p, file->packet);
	fwrite(file->p.data, 1, file->p.size, file->f);
	protobuf_reset(&file->p);
}

void perfetto_close_bundle(struct perfetto_file *file)
{
	if (!file->bundle)
		return;
	protobuf_end(&file->p, file->bundle);
	file->bundle = 0;
	perfetto_end(file);
}

void perfetto_open_bundle(struct perfetto_file *file, const struct item *item)
{
	if (file->bundle && file->cpu == item->cpu && file->p.size < BUNDLE_BYTES &&
	    !(item->marks & ITEM_LOST_BEFORE))
		return;
	perfetto_close_bundle(file);
	perfetto_begin(file, SEQUENCE_FTRACE);
	file->bundle = protobuf_begin(&file->p, PACKET_FTRACE_EVENTS);
	file->cpu = item->cpu;
	protobuf_u64(&file->p, BUNDLE_CPU, item->cpu);
	if (item->marks & ITEM_LOST_BEFORE)
		protobuf_u64(&file->p, BUNDLE_LOST_EVENTS, 1);
}

static void describe_track(struct perfetto_file *file, u32 uuid, const char *name,
			   const char *description)
{
	u32 track;

	perfetto_begin(file, SEQUENCE_TRACKS);
	track = protobuf_begin(&file->p, PACKET_TRACK_DESCRIPTOR);
	protobuf_u64(&file->p, TRACK_UUID, uuid);
	protobuf_str(&file->p, TRACK_NAME, name);
	protobuf_str(&file->p, TRACK_DESCRIPTION, description);
	protobuf_end(&file->p, track);
	perfetto_end(file);
}

void perfetto_describe_tracks(struct perfetto_file *file)
{
	describe_track(file, TRACK_CRASH, "Crash", "how the kernel ended");
	describe_track(file, TRACK_MCES, "Machine checks", "errors that the hardware reported");
	describe_track(file, TRACK_LOG, "Kernel log", "lines that the kernel logged");
	describe_track(file, TRACK_MARKS, "Marks", "set by people and by sysrq");
}

static void describe_below(struct perfetto_file *file, u32 uuid, u32 parent, const char *name)
{
	u32 track;

	perfetto_begin(file, SEQUENCE_TRACKS);
	track = protobuf_begin(&file->p, PACKET_TRACK_DESCRIPTOR);
	protobuf_u64(&file->p, TRACK_UUID, uuid);
	protobuf_str(&file->p, TRACK_NAME, name);
	protobuf_u64(&file->p, TRACK_PARENT_UUID, parent);
	protobuf_end(&file->p, track);
	perfetto_end(file);
}

void perfetto_describe_vcpu(struct perfetto_file *file, u32 uuid, s64 pid, s64 tid, const char *name)
{
	char gaps[600];
	u32 track, thread;

	perfetto_begin(file, SEQUENCE_TRACKS);
	track = protobuf_begin(&file->p, PACKET_TRACK_DESCRIPTOR);
	protobuf_u64(&file->p, TRACK_UUID, uuid);
	thread = protobuf_begin(&file->p, TRACK_THREAD);
	protobuf_u64(&file->p, THREAD_PID, pid);
	protobuf_u64(&file->p, THREAD_TID, tid);
	protobuf_end(&file->p, thread);
	protobuf_end(&file->p, track);
	perfetto_end(file);
	snprintf(gaps, sizeof(gaps), "%.560s: not run", name);
	describe_below(file, uuid + 1, uuid, name);
	describe_below(file, uuid + 2, uuid, gaps);
}

void perfetto_put_slice(struct perfetto_file *file, u64 from, u64 to, u32 track, const char *name)
{
	for (u32 i = 0; i < 2; i++) {
		u32 event;

		perfetto_begin(file, SEQUENCE_TRACKS);
		protobuf_u64(&file->p, PACKET_TIMESTAMP, i ? to : from);
		protobuf_u64(&file->p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
		event = protobuf_begin(&file->p, PACKET_TRACK_EVENT);
		protobuf_u64(&file->p, EVENT_TYPE, i ? PERFETTO_SLICE_END : PERFETTO_SLICE_BEGIN);
		protobuf_u64(&file->p, EVENT_TRACK_UUID, track);
		if (!i) {
			protobuf_str(&file->p, EVENT_CATEGORIES, "epitaph");
			protobuf_str(&file->p, EVENT_NAME, name);
		}
		protobuf_end(&file->p, event);
		perfetto_end(file);
	}
}

u32 perfetto_cpu_track(struct perfetto_file *file, u32 cpu)
{
	u32 i = cpu < PERFETTO_MAX_CPU ? cpu : PERFETTO_MAX_CPU;
	char name[40] = "CPU not known, or above 1023";

	if (i < PERFETTO_MAX_CPU)
		snprintf(name, sizeof(name), "CPU %u: lost, damaged", cpu);
	if (!file->tracks[i])
		describe_track(file, TRACK_CPUS + i, name,
			       "lost and damaged events, and events of a thread that is not known");
	file->tracks[i] = true;
	return TRACK_CPUS + i;
}

u32 perfetto_begin_instant(struct perfetto_file *file, u64 ns, u32 track, const char *name)
{
	u32 event;

	perfetto_begin(file, SEQUENCE_TRACKS);
	protobuf_u64(&file->p, PACKET_TIMESTAMP, ns);
	protobuf_u64(&file->p, PACKET_TIMESTAMP_CLOCK_ID, PERFETTO_MONOTONIC);
	event = protobuf_begin(&file->p, PACKET_TRACK_EVENT);
	protobuf_u64(&file->p, EVENT_TYPE, PERFETTO_INSTANT);
	protobuf_u64(&file->p, EVENT_TRACK_UUID, track);
	protobuf_str(&file->p, EVENT_CATEGORIES, "epitaph");
	protobuf_str(&file->p, EVENT_NAME, name);
	return event;
}

void perfetto_end_instant(struct perfetto_file *file, u32 event)
{
	protobuf_end(&file->p, event);
	perfetto_end(file);
}

void perfetto_note_number(struct perfetto_file *file, const char *name, s64 value)
{
	u32 annotation = protobuf_begin(&file->p, EVENT_DEBUG_ANNOTATIONS);

	protobuf_str(&file->p, ANNOTATION_NAME, name);
	protobuf_u64(&file->p, ANNOTATION_INT, value);
	protobuf_end(&file->p, annotation);
}

void perfetto_note_text(struct perfetto_file *file, const char *name, const char *text)
{
	u32 annotation = protobuf_begin(&file->p, EVENT_DEBUG_ANNOTATIONS);

	protobuf_str(&file->p, ANNOTATION_NAME, name);
	protobuf_text(&file->p, ANNOTATION_STRING, text, strlen(text));
	protobuf_end(&file->p, annotation);
}

void perfetto_note_who(struct perfetto_file *file, u32 cpu, s64 pid, const char *comm)
{
	if (cpu != NO_CPU)
		perfetto_note_number(file, "cpu", cpu);
	if (pid >= 0)
		perfetto_note_number(file, "pid", pid);
	if (comm)
		perfetto_note_text(file, "comm", comm);
}
