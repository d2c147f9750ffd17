/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What one CPU recorded in one place, in the order of time: a ring of ours, a
 * buffer of the kernel's own trace.  A timeline merges them.
 */
#ifndef EPITAPH_EVENT_STREAM_H
#define EPITAPH_EVENT_STREAM_H

#include <stdio.h>

#include "item.h"
#include "formats.h"

struct stream;

/* What CLOCK_MONOTONIC of its events was made of: times of one are sure to each other, of two are not. */
enum stream_clock {
	STREAM_RECORDER,
	STREAM_LOCAL,		/* sched_clock() and what is made of it */
	STREAM_TIMEKEEPER,	/* CLOCK_MONOTONIC, CLOCK_BOOTTIME, CLOCK_TAI */
	STREAM_RAW,		/* CLOCK_MONOTONIC_RAW */
	STREAM_COUNTER,		/* the TSC */
	STREAM_TICKS,
	STREAM_NR_CLOCKS,
};

/* Events until a time, and later ones. */
struct stream_counts {
	u64 before;
	u64 after;
};

/**
 * struct stream_ops - what every stream can do
 * @begin: go to what may hold @from, CLOCK_MONOTONIC, or before it; a stream is begun once at a
 *	time, and @end is needed afterwards in any case
 * @next: move to what is next, which is in @head then; false: that was all
 * @end: give back what @begin took
 * @count: events from @from on, at least; cheap
 * @tally: add to @n the events from @from to @end, and those after it, that @next would give
 *	without @with_damaged; not between @begin and @end; NULL: only @next can tell
 * @text: an event as the kernel's trace file writes it, lines without a newline at the end; false,
 *	and nothing was written: its format tells; NULL: always so
 * @pass: instead of @text, where another process prints the current event; NULL: @text keeps nothing
 * @is_merged: the line of the event before includes the current event; NULL: never
 * @bound: how far CLOCK_MONOTONIC of a time may be off, ns; NULL: it is not
 * @real: UTC of an entry, ns since 1970; 0: unknown
 * @free: the stream itself
 */
struct stream_ops {
	int (*begin)(struct stream *stream, u64 from, bool with_damaged, struct err *err);
	bool (*next)(struct stream *stream);
	void (*end)(struct stream *stream);
	u64 (*count)(const struct stream *stream, u64 from);
	int (*tally)(const struct stream *stream, u64 from, u64 end, struct stream_counts *n,
		     struct err *err);
	bool (*text)(const struct stream *stream, FILE *f, const struct item *item);
	void (*pass)(const struct stream *stream);
	bool (*is_merged)(const struct stream *stream);
	u64 (*bound)(const struct stream *stream, u64 time);
	u64 (*real)(const struct stream *stream, const struct item *item);
	void (*free)(struct stream *stream);
};

/**
 * struct stream - one
 * @channel: its name, not escaped; its owner's
 * @cpu: NO_CPU: unknown
 * @order: byte order of the events
 * @is_count: its times are no ns, but numbers of another kind
 * @is_unsure: its clock is a guess, and so is the order of its events among others
 * @doubt: events of other CPUs, by the same clock, as many ns apart, or less, are in no certain order
 * @program: of a program's own ring, its name, not escaped; @tgid: its process; NULL: the kernel's
 * @skip: of a program's ring, events from the begin on that the window leaves out
 * @formats: what the ids of its events mean; its owner's
 * @rank: the timeline's: of events of one time, those of the lower one come first
 * @head: what it stands at, the stream's until the next call
 */
struct stream {
	const struct stream_ops *ops;
	const char *channel;
	u32 cpu;
	enum byte_order order;
	enum stream_clock clock;
	bool is_count;
	bool is_unsure;
	u64 doubt;
	const char *program;
	u32 tgid;
	u64 skip;
	struct formats *formats;
	u32 rank;
	struct item head;
};

/* "system:name"; only of what happened. */
static inline const char *item_name(const struct item *item)
{
	return item->extra ? item->extra->name :
			      formats_name(item->stream->formats, item->id);
}

#endif
