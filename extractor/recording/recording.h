/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: recording - the content of one generation
 *
 * A recording has the side data of a generation (formats, symbols, names, clock, marks, log,
 * machine checks) and the state of its rings. The events come as streams, see event/stream.h.
 *
 *	struct recording *recording;
 *
 *	if (!recording_open(&recording, generation, &err) && !recording_scan(recording, &err)) {
 *		for (i = 0; i < recording->nr_rings; i++)
 *			stream_ring_new(&stream, &recording->rings[i], &err);
 *		recording_extras(recording, &aux_events, &err);
 *	}
 *	recording_close(recording);
 *
 * The generation must outlive the recording, the recording its streams and aux events. Errors
 * are of memory and I/O; damage is noted in generation->notes. One thread at a time.
 */
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
 * @is_added: added while recording; only then are the following fields valid
 * @is_copy: a copy of the channel @origin, made during its recording
 * @counters: offset of @nr_rings counters in the generation; 0: none
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
 * struct recording_ring - one ring of a channel
 * @too_large: events dropped for their size, a lower bound
 * @too_deep: events dropped because too many writers were under way
 * @full: events dropped because the ring was full, a lower bound; 0 if unknown
 * @counted: @too_large and @too_deep are known
 * @again: sub-buffers of a copy that are left out because its origin still has them
 * @refused: marks dropped by the limit of a user, a lower bound; -1: unknown
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
 * @end: the later of @last and the time of the newest sub-buffer
 */
struct recording_total {
	u64 events;
	u64 torn;
	u64 unproven;
	u64 withheld;
	u64 damaged;
	u64 repaired;
	u64 missing;
	u64 lost;
	u64 first;
	u64 last;
	u64 end;
	bool any;
};

/**
 * struct recording - an opened generation
 * @nr_ids: ids from this one on are unassigned or lost
 * @added: the nr_added rings of added channels
 * @whole_copies: copies keep what their origin still has; to be set before recording_scan()
 * @marks: sorted by clock
 */
struct recording {
	struct generation *generation;
	struct ids ids;
	u32 nr_ids;
	struct recording_channel channels[RECORDING_MAX_CHANNELS];
	u32 nr_channels;
	struct section *added;
	u32 nr_added;
	bool whole_copies;
	struct recording_ring *rings;
	u32 nr_rings;
	struct clock clock;
	struct formats *formats;
	struct symbols *symbols;
	struct task_names *tasks;
	struct recording_mark *marks;
	u32 nr_marks;
	struct recording_crash crash;
	struct outcome fate;
	struct klog klog;
	struct mces mces;
	struct records records;
	struct recording_total total;
};

/* Reads all but the rings. @generation must outlive @ret, which recording_close() frees. */
int recording_open(struct recording **ret, struct generation *generation, struct err *err);

/* Reads ids, formats, symbols and clock anchors that a running recorder has added. */
int recording_more(struct recording *recording, struct err *err);

/* Reads the mark @seq, or a later mark in its place. False: not there yet. */
bool recording_read_mark(const struct recording *recording, u64 seq, struct recording_mark *mark);

/* The name of an enum epitaph_mark_type, "sysrq", "oops", ...; "other" if it is unknown. */
const char *recording_mark_name(u32 type);

/* Is @unit a possible size of sub-buffers? */
static inline bool recording_unit_is_possible(u32 unit)
{
	return unit >= SUBBUF_MIN && unit <= SUBBUF_MAX && !(unit & (unit - 1));
}

/* Reads the channels that were added while recording. For recording_open(). */
int recording_read_added(struct recording *recording, struct err *err);

/* Drops the sub-buffers of copies that other rings have. For recording_scan(). */
void recording_drop_again(struct recording *recording);

/* Examines every sub-buffer of every ring. */
int recording_scan(struct recording *recording, struct err *err);

/* Adds log lines and machine checks to @extras, which @recording must outlive. */
int recording_extras(const struct recording *recording, struct aux_events *extras, struct err *err);

/* Accepts NULL. */
void recording_close(struct recording *recording);

/* CLOCK_MONOTONIC of the time of an event, ns. */
static inline u64 recording_mono(const struct recording *recording, u64 time)
{
	return clock_mono(&recording->clock, clock_of_time(&recording->clock, time));
}

#endif
