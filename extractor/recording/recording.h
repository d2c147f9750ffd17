/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All that one generation holds, but for the events themselves; see timeline.h. */
#ifndef EPITAPH_RECORDING_RECORDING_H
#define EPITAPH_RECORDING_RECORDING_H

#include "event/aux_event.h"
#include "event/formats.h"
#include "region/clock.h"
#include "region/outcome.h"
#include "region/pstore_text.h"
#include "region/generation.h"
#include "region/ring_scan.h"
#include "region/task_names.h"
#include "klog.h"
#include "mce_records.h"
#include "symbols.h"

#define TRACE_MAX_RINGS	16384
#define TRACE_MAX_CHANNELS	128
#define TRACE_MAX_MARKS	1024

/**
 * struct trace_channel - a channel
 * @is_added: while recording; the next three are known
 * @is_copy: of the channel @origin, made while that was recorded into
 * @counters: where they are in the generation, @nr_rings of them; 0: it has none
 */
struct trace_channel {
	u32 id;
	u32 mode;
	char name[33];
	bool is_added;
	bool is_copy;
	u32 origin;
	u64 counters;
	u32 nr_rings;
};

/**
 * struct trace_ring - one ring and whose it is
 * @too_large: events dropped for their size, a lower bound
 * @too_deep: events dropped because too many writers were under way
 * @full: events that came when the ring had ended, a lower bound; 0 if not known
 * @counted: the first two are known
 * @again: sub-buffers of a copy that its origin still has, and that are left out
 * @refused: marks that a user had too many of, a lower bound; -1: unknown
 */
struct trace_ring {
	const struct section *sec;
	const struct trace_channel *channel;
	struct trace *trace;
	struct region_source rs;
	struct scan scan;
	u32 cpu;
	u64 too_large;
	u64 too_deep;
	u64 full;
	s64 refused;
	bool counted;
	u32 again;
};

struct trace_mark {
	u64 clock;
	u64 real_ns;
	u64 seq;
	u32 type;
	u32 cpu;
	char text[89];
};

struct trace_crash {
	bool known;
	u64 clock;
	u64 mono_ns;
	u64 real_ns;
	u32 cpu;
	u32 pid;
	char comm[17];
	char reason[457];
};

/**
 * struct trace_total - sums over all rings
 * @lost: events dropped since the horizon of their ring
 * @first: time of the oldest event
 * @last: time of the newest event
 * @end: the same, or of the newest sub-buffer where that is later
 */
struct trace_total {
	u64 events;
	u64 torn;
	u64 unproven;
	u64 withheld;
	u64 damaged;
	u64 missing;
	u64 lost;
	u64 first;
	u64 last;
	u64 end;
	bool any;
};

/**
 * struct trace - an opened generation
 * @nr_ids: ids from this one on are nobody's, or lost
 * @scanned: rings have been looked at: trace_scan()
 */
struct trace {
	struct region *region;
	struct ids ids;
	u32 nr_ids;
	struct trace_channel channels[TRACE_MAX_CHANNELS];
	u32 nr_channels;
	struct section *added;		/* rings of added channels, nr_added of them */
	u32 nr_added;
	bool whole_copies;		/* also what their origin still has; before trace_scan() */
	struct trace_ring *rings;
	u32 nr_rings;
	struct clock clock;
	struct formats *formats;
	struct symbols *symbols;
	struct tasks *tasks;
	struct trace_mark *marks;	/* by clock */
	u32 nr_marks;
	struct trace_crash crash;
	struct fate fate;
	struct klog klog;
	struct mces mces;
	struct records records;
	struct trace_total total;
};

/* trace_open() - read all but the rings; @region must outlive it */
int trace_open(struct trace **ret, struct region *region, struct err *err);

/*
 * trace_more() - what joined it while it was recorded into: ids, formats, symbols, the clock's
 * anchors
 */
int trace_more(struct trace *trace, struct err *err);

/* trace_read_mark() - the mark of number @seq, or a later one in its place; false: not yet there */
bool trace_read_mark(const struct trace *trace, u64 seq, struct trace_mark *mark);

/* Channels that were added while recording; damage is noted.  For trace_open(). */
int trace_read_added(struct trace *trace, struct err *err);

/* Leaves out of copies what is told already.  For trace_scan(). */
void trace_drop_again(struct trace *trace);

/* trace_scan() - look at every sub-buffer of every ring */
int trace_scan(struct trace *trace, struct err *err);

/* trace_extras() - add what comes out of no ring; @trace must outlive it */
int trace_extras(const struct trace *trace, struct extras *extras, struct err *err);

/* NULL is fine. */
void trace_close(struct trace *trace);

/* CLOCK_MONOTONIC of an event's time. */
static inline u64 trace_mono(const struct trace *trace, u64 time)
{
	return clock_mono(&trace->clock, clock_of_time(&trace->clock, time));
}

#endif
