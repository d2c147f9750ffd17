/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one CPU recorded in one place, in the order of time: a ring of ours, a
 * buffer of the kernel's own trace.  A timeline merges them.
 */
#ifndef EPITAPH_STREAM_H
#define EPITAPH_STREAM_H

#include <stdio.h>

#include "entry.h"
#include "formats.h"

struct stream;

/**
 * struct stream_ops - what every stream can do
 * @begin: go to what may hold @from, CLOCK_MONOTONIC, or before it; a stream is begun once at a
 *	time, and @end is needed afterwards in any case
 * @next: move to what is next, which is in @head then; false: that was all
 * @end: give back what @begin took
 * @count: events from @from on, at least; cheap
 * @text: an event as the kernel's trace file writes it, lines without a newline at the end; false,
 *	and nothing was written: its format tells; NULL: always so
 * @real: UTC of an entry, ns since 1970; 0: unknown
 * @free: the stream itself
 */
struct stream_ops {
	int (*begin)(struct stream *stream, u64 from, bool with_damaged, struct err *err);
	bool (*next)(struct stream *stream);
	void (*end)(struct stream *stream);
	u64 (*count)(const struct stream *stream, u64 from);
	bool (*text)(const struct stream *stream, FILE *f, const struct entry *entry);
	u64 (*real)(const struct stream *stream, const struct entry *entry);
	void (*free)(struct stream *stream);
};

/**
 * struct stream - one
 * @channel: its name, not escaped; its owner's
 * @cpu: NO_CPU: unknown
 * @order: byte order of the events
 * @doubt: events of other CPUs as many ns apart, or less, are in no certain order
 * @formats: what the ids of its events mean; its owner's
 * @rank: the timeline's: of events of one time, those of the lower one come first
 * @head: what it stands at, the stream's until the next call
 */
struct stream {
	const struct stream_ops *ops;
	const char *channel;
	u32 cpu;
	enum byte_order order;
	u64 doubt;
	struct formats *formats;
	u32 rank;
	struct entry head;
};

/* "system:name"; only of what happened. */
static inline const char *entry_name(const struct entry *entry)
{
	return entry->extra ? entry->extra->name :
			      formats_name(entry->stream->formats, entry->id);
}

#endif
