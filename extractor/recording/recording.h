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

#define RECORDING_MAX_RINGS	16384
#define RECORDING_MAX_CHANNELS	128
#define RECORDING_MAX_MARKS	1024

/**
 * struct recording_channel - a channel
 * @is_added: while recording; the next three are known
 * @is_copy: of the channel @origin, made while that was recorded into
 * @counters: where they are in the generation, @nr_rings of them; 0: it has none
 */
struct recording_channel {
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
 * struct recording_ring - one ring and whose it is
 * @too_large: events dropped for their size, a lower bound
 * @too_deep: events dropped because too many writers were under way
 * @full: events that came when the ring had ended, a lower bound; 0 if not known
 * @counted: the first two are known
 * @again: sub-buffers of a copy that its origin still has, and that are left out
 * @refused: marks that a user had too many of, a lower bound; -1: unknown
 */
struct recording_ring {
	const struct section *sec;
	const struct recording_channel *channel;
	struct recording *recording;
	struct generation_source rs;
	struct ring_scan scan;
	u32 cpu;
	u64 too_large;
	u64 too_deep;
	u64 full;
	s64 refused;
	bool counted;
	u32 again;
};

struct recording_mark {
	u64 clock;
	u64 real_ns;
	u64 seq;
	u32 type;
	u32 cpu;
	char text[89];
};

struct recording_crash {
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
 * struct recording_total - sums over all rings
 * @lost: events dropped since the horizon of their ring
 * @first: time of the oldest event
 * @last: time of the newest event
 * @end: the same, or of the newest sub-buffer where that is later
 */
struct recording_total {
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
 * struct recording - an opened generation
 * @nr_ids: ids from this one on are nobody's, or lost
 * @scanned: rings have been looked at: recording_scan()
 */
struct recording {
	struct generation *generation;
	struct ids ids;
	u32 nr_ids;
	struct recording_channel channels[RECORDING_MAX_CHANNELS];
	u32 nr_channels;
	struct section *added;		/* rings of added channels, nr_added of them */
	u32 nr_added;
	bool whole_copies;		/* also what their origin still has; before recording_scan() */
	struct recording_ring *rings;
	u32 nr_rings;
	struct clock clock;
	struct formats *formats;
	struct symbols *symbols;
	struct task_names *tasks;
	struct recording_mark *marks;	/* by clock */
	u32 nr_marks;
	struct recording_crash crash;
	struct outcome fate;
	struct klog klog;
	struct mces mces;
	struct records records;
	struct recording_total total;
};

/* recording_open() - read all but the rings; @generation must outlive it */
int recording_open(struct recording **ret, struct generation *generation, struct err *err);

/*
 * recording_more() - what joined it while it was recorded into: ids, formats, symbols, the clock's
 * anchors
 */
int recording_more(struct recording *recording, struct err *err);

/* recording_read_mark() - the mark of number @seq, or a later one in its place; false: not yet there */
bool recording_read_mark(const struct recording *recording, u64 seq, struct recording_mark *mark);

/* "sysrq", "oops", ...: of enum epitaph_mark_type; "other" for one that is not known. */
const char *recording_mark_name(u32 type);

/* Channels that were added while recording; damage is noted.  For recording_open(). */
int recording_read_added(struct recording *recording, struct err *err);

/* Leaves out of copies what is told already.  For recording_scan(). */
void recording_drop_again(struct recording *recording);

/* recording_scan() - look at every sub-buffer of every ring */
int recording_scan(struct recording *recording, struct err *err);

/* recording_extras() - add what comes out of no ring; @recording must outlive it */
int recording_extras(const struct recording *recording, struct aux_events *extras, struct err *err);

/* NULL is fine. */
void recording_close(struct recording *recording);

/* CLOCK_MONOTONIC of an event's time. */
static inline u64 recording_mono(const struct recording *recording, u64 time)
{
	return clock_mono(&recording->clock, clock_of_time(&recording->clock, time));
}

#endif
