/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers of Perfetto's schema, as docs/perfetto.proto has them, and an event
 * in its words.
 */
#ifndef EPITAPH_EXPORT_PERFETTO_SCHEMA_H
#define EPITAPH_EXPORT_PERFETTO_SCHEMA_H

#include "report/event_text.h"
#include "timeline/slice_source.h"
#include "protobuf.h"

enum perfetto_number {
	TRACE_PACKET = 1,

	PACKET_FTRACE_EVENTS = 1,
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE_ID = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_FTRACE_STATS = 34,
	PACKET_TIMESTAMP_CLOCK_ID = 58,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_TASK_RENAME = 120,

	BUNDLE_CPU = 1,
	BUNDLE_EVENT = 2,
	BUNDLE_LOST_EVENTS = 3,

	FTRACE_TIMESTAMP = 1,
	FTRACE_PID = 2,
	FTRACE_GENERIC = 327,

	GENERIC_EVENT_NAME = 1,
	GENERIC_FIELD = 2,
	GENERIC_FIELD_NAME = 1,
	GENERIC_FIELD_STR = 3,
	GENERIC_FIELD_INT = 4,
	GENERIC_FIELD_UINT = 5,

	STATS_PHASE = 1,
	STATS_CPU_STATS = 2,
	CPU_STATS_CPU = 1,
	CPU_STATS_ENTRIES = 2,
	CPU_STATS_DROPPED_EVENTS = 8,

	SNAPSHOT_CLOCKS = 1,
	SNAPSHOT_PRIMARY = 2,
	CLOCK_CLOCK_ID = 1,
	CLOCK_TIMESTAMP = 2,

	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_THREAD = 4,
	TRACK_PARENT_UUID = 5,
	TRACK_DESCRIPTION = 14,
	THREAD_PID = 1,
	THREAD_TID = 2,

	EVENT_DEBUG_ANNOTATIONS = 4,
	EVENT_TYPE = 9,
	EVENT_TRACK_UUID = 11,
	EVENT_CATEGORIES = 22,
	EVENT_NAME = 23,

	ANNOTATION_INT = 4,
	ANNOTATION_STRING = 6,
	ANNOTATION_JSON = 9,
	ANNOTATION_NAME = 10,

	RENAME_TID = 1,
	RENAME_COMM = 2,
};

enum perfetto_value {
	PERFETTO_REALTIME = 1,
	PERFETTO_MONOTONIC = 3,
	PERFETTO_BOOTTIME = 6,
	PERFETTO_SLICE_BEGIN = 1,
	PERFETTO_SLICE_END = 2,
	PERFETTO_INSTANT = 3,
	PERFETTO_STATE_CLEARED = 1,
	PERFETTO_END_OF_TRACE = 2,
};

#define PERFETTO_MAX_CPU	1024	/* trace processor refuses a file with a higher one */

/* "uncertain-order, lost-before"; empty without marks. */
void perfetto_marks(char *buf, size_t size, const struct item *item);

#define PERFETTO_NR_TYPED	19	/* events that the schema has a message for, and we write */

/*
 * An event of a known CPU and thread as a field of a bundle: in the schema's own
 * words where it has a message for it, as a generic one otherwise.  @leaders say
 * which channel's are the former, one for each such message.  False: it does not
 * fit, and nothing of it is there.
 */
bool perfetto_event(struct protobuf *p, const struct item *item,
		    struct slice_source leaders[PERFETTO_NR_TYPED]);

#endif
