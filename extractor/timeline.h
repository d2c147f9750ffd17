/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The events of all rings, one after the other, in the order of time. */
#ifndef EPITAPH_TIMELINE_H
#define EPITAPH_TIMELINE_H

#include "trace.h"

enum entry_kind {
	ENTRY_EVENT,
	ENTRY_TORN,		/* claimed and not committed; @size is the claim's */
	ENTRY_EXTRA,		/* @extra says what */
	ENTRY_DAMAGED,		/* a sub-buffer whose events are withheld; @nr_lost of them */
};

enum entry_mark {
	ENTRY_UNCERTAIN = 1,	/* order across CPUs: the clocks cannot tell */
	ENTRY_IN_DAMAGED = 2,	/* from a damaged sub-buffer: it may be anything */
	ENTRY_LOST_BEFORE = 4,
	ENTRY_LOST_COUNTED = 8,	/* @nr_lost says how many */
	ENTRY_UNPROVEN = 16,	/* its commit was cut off: no sum covers it */
};

/**
 * struct entry - what stands at one place of the timeline
 * @ring: NULL for an extra
 * @extra: NULL for all else
 * @cpu: NO_CPU: unknown
 * @time: as events carry it
 * @payload: @size bytes, valid until the next entry
 * @pid: -1: unknown
 * @comm: NULL: unknown; valid until the next entry, and not escaped
 * @marks: enum entry_mark
 */
struct entry {
	enum entry_kind kind;
	const struct trace_ring *ring;
	const struct extra *extra;
	u32 cpu;
	u64 time;
	u32 id;
	const void *payload;
	u32 size;
	s64 pid;
	const char *comm;
	u32 marks;
	u64 nr_lost;
};

/* Something that happened, and counts as an event. */
static inline bool entry_happened(const struct entry *entry)
{
	return entry->kind == ENTRY_EVENT || entry->kind == ENTRY_EXTRA;
}

/* CLOCK_MONOTONIC. */
static inline u64 entry_mono(const struct trace *trace, const struct entry *entry)
{
	return entry->extra ? entry->extra->mono_ns : trace_mono(trace, entry->time);
}

/* "system:name"; only of what happened. */
static inline const char *entry_name(struct trace *trace, const struct entry *entry)
{
	return entry->extra ? entry->extra->name : formats_name(trace->formats, entry->id);
}

struct timeline;

/**
 * timeline_open() - begin at the sub-buffers that hold @from
 * @trace: scanned, and must outlive it
 * @with_damaged: also give the events of damaged sub-buffers
 *
 * What comes first may be older than @from: it says who runs where.
 */
int timeline_open(struct timeline **ret, struct trace *trace, u64 from,
		  bool with_damaged, struct err *err);

/* The next one, the timeline's until the next call; NULL: that was all. */
const struct entry *timeline_next(struct timeline *timeline);

/* NULL is fine. */
void timeline_close(struct timeline *timeline);

#endif
