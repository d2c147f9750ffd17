/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One item of the merged timeline. */
#ifndef EPITAPH_EVENT_ITEM_H
#define EPITAPH_EVENT_ITEM_H

#include "base/types.h"
#include "aux_event.h"

struct stream;
struct recording_mark;

enum item_kind {
	ITEM_EVENT,
	ITEM_TORN,		/* claimed and not committed; @size is the claim's */
	ITEM_EXTRA,		/* @extra says what */
	ITEM_DAMAGED,		/* a sub-buffer whose events are withheld; @nr_lost of them */
	ITEM_LOSS,		/* nothing of its own: its marks alone */
	ITEM_MARK,		/* @mark of the recorder: an oops, a changed filter, an orderly end */
	ITEM_CRASH,		/* the crash; the end of the postmortem says how */
};

enum item_mark {
	ITEM_UNCERTAIN = 1,	/* order across CPUs: the clocks cannot tell */
	ITEM_IN_DAMAGED = 2,	/* from a damaged sub-buffer: it may be anything */
	ITEM_LOST_BEFORE = 4,
	ITEM_LOST_COUNTED = 8,	/* @nr_lost says how many */
	ITEM_UNPROVEN = 16,	/* its commit was cut off: no sum covers it */
	ITEM_LATE = 32,	/* of a live one: later ones were given before it */
	ITEM_LAPPED = 64,	/* of a live one: @nr_lapped sub-buffers before it were not read */
	ITEM_REPAIRED = 128,	/* its bytes were damaged; their parity brought them back */
};

#define ITEM_NO_FLAGS	(-1)

/**
 * struct item - one event, or something that counts like one
 * @stream: where it comes from, with the formats of its events; NULL for an extra
 * @extra: NULL for all else
 * @mark: NULL for all else
 * @cpu: NO_CPU: unknown
 * @time: CLOCK_MONOTONIC of the recorded kernel, ns
 * @skew: how far @time may be off, ns, because it is of another CPU
 * @raw: the time as its source has it; of a ring of ours, on the clock of the reference CPU
 * @id: of @stream->formats
 * @payload: @size bytes, from behind the fields that all events have; valid until the next entry
 * @pid: -1: unknown
 * @comm: NULL: unknown; valid until the next entry, and not escaped
 * @flags: common_flags of the kernel's own trace; ENTRY_NO_FLAGS: not recorded
 * @preempt: its common_preempt_count, where @flags are known
 * @marks: enum item_mark
 * @nr_lost: with ENTRY_LOST_COUNTED
 * @nr_lapped: with ENTRY_LAPPED
 */
struct item {
	enum item_kind kind;
	const struct stream *stream;
	const struct aux_event *extra;
	const struct recording_mark *mark;
	u32 cpu;
	u64 time;
	u64 skew;
	u64 raw;
	u32 id;
	const void *payload;
	u32 size;
	s64 pid;
	const char *comm;
	s32 flags;
	u8 preempt;
	u32 marks;
	u64 nr_lost;
	u64 nr_lapped;
};

/* Something that happened, and counts as an event. */
static inline bool item_happened(const struct item *item)
{
	return item->kind == ITEM_EVENT || item->kind == ITEM_EXTRA;
}

#endif
