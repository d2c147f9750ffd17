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
#include "region/archive.h"
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
 * @is_left: the place that the rings of @origin were leaving, which is read like a copy
 * @is_moved: its rings were elsewhere before: the oldest of them may not have come along
 * @counters: offset of @nr_rings counters in the generation; 0: none
 * @consumed: the same of struct epitaph_consumed
 * @owners: of EPITAPH_RINGS, offset of @nr_rings struct epitaph_owner
 */
struct recording_channel {
	u32 id;
	u32 mode;
	char name[33];
	bool is_added;
	bool is_copy;
	bool is_left;
	bool is_moved;
	u32 origin;
	u64 counters;
	u64 consumed;
	u64 owners;
	u32 nr_rings;
};

/* Events of one kind that were dropped because a ring was full, a lower bound. */
struct recording_dropped {
	u32 id;
	u64 nr;
};

/**
 * struct recording_owner - whose ring a slot of EPITAPH_RINGS has, as the kernel wrote it
 * @sec: the sub-buffers
 * @salt: seed of their checks
 * @opened, @ended: the clock then; @ended only with @has_ended
 * @pid: of the thread; @comm: its name then; @program: that of its process
 * @name: that the program gave the ring: letters, digits, _
 * @formats: its own ids, with @ids as their sizes; both of an earlier owner, unless @owns_formats
 * @formats_whole: none of them is damaged
 * @formats_missing: not all of them are in the file
 * @raw_formats: their bytes
 */
struct recording_owner {
	struct section sec;
	u64 salt;
	u64 opened;
	u64 ended;
	bool has_ended;
	u32 pid;
	u32 tgid;
	u32 uid;
	char comm[17];
	char program[17];
	char name[33];
	struct formats *formats;
	struct ids *ids;
	bool owns_formats;
	bool formats_whole;
	bool formats_missing;
	u8 *raw_formats;
};

/**
 * struct recording_ring - one ring of a channel
 * @owner: of a program's ring; NULL: the kernel wrote it
 * @too_large: events dropped for their size, a lower bound
 * @too_deep: events dropped because too many writers were under way
 * @full: events dropped because the ring was full, a lower bound; 0 if unknown; of a program's, because
 *	their format found no room
 * @counted: @too_large and @too_deep are known
 * @again: sub-buffers of a copy that are left out because its origin still has them
 * @archived: what was read out of it while it recorded; NULL: nothing that is here
 * @given: number of the newest sub-buffer that a reader gave back; 0: none, or unknown
 * @dropped: of @full, those of which the kind is known, nr_dropped kinds
 * @refused: marks dropped by the limit of a user, a lower bound; -1: unknown
 */
struct recording_ring {
	const struct section *sec;
	const struct recording_channel *channel;
	const struct recording_owner *owner;
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
	struct archived_ring *archived;
	u64 given;
	struct recording_dropped *dropped;
	u32 nr_dropped;
};

/* @clock: on the clock of the reference CPU, as that of the crash. */
struct recording_mark {
	u64 clock;
	u64 real_ns;
	u64 seq;
	u32 type;
	u32 cpu;
	char text[89];
};

#define RECORDING_NO_PID	0xffffffffU	/* the task that died is not known */

/* @from_dump: the recorder left none; the kernel's log is what it was made of. */
struct recording_crash {
	bool known;
	bool from_dump;
	u64 clock;
	u64 mono_ns;
	u64 real_ns;
	u32 cpu;
	u32 pid;
	char comm[17];
	char reason[457];
};

/**
 * struct recording_total - sums over the kernel's rings
 * @events: those of programs' rings as well
 * @lost: events dropped since the horizon of their ring
 * @first: time of the oldest event, all three on the clock of the reference CPU
 * @last: time of the newest event
 * @end: the later of @last and the time of the newest sub-buffer
 * @not_read: bytes of older sub-buffers that were not read: all else speaks of the newer ones
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
	u64 not_read;
};

/**
 * struct recording - an opened generation
 * @nr_ids: ids from this one on are unassigned or lost
 * @added: the nr_added rings of added channels
 * @owners: the nr_owners rings of programs
 * @archived: what archives have of the rings
 * @whole_copies: copies keep what their origin still has; to be set before recording_scan()
 * @tail_ns: the same: recording_scan() may leave out what is older than so many ns before the end;
 *	0: it reads all
 * @tail_end: CLOCK_MONOTONIC of the end; 0: the last event is
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
	struct recording_owner *owners;
	u32 nr_owners;
	struct archived archived;
	bool whole_copies;
	u64 tail_ns;
	u64 tail_end;
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

/* "overwrite", "stop", "consume", "rings" or "copy". */
const char *recording_channel_mode(const struct recording_channel *channel);

/* Is @unit a possible size of sub-buffers? */
static inline bool recording_unit_is_possible(u32 unit)
{
	return unit >= SUBBUF_MIN && unit <= SUBBUF_MAX && !(unit & (unit - 1));
}

/* Reads the channels that were added while recording. For recording_open(). */
int recording_read_added(struct recording *recording, struct err *err);

/* Drops the sub-buffers of copies that other rings have, but for whole copies. For recording_scan(). */
void recording_drop_again(struct recording *recording);

/* Examines every sub-buffer of every ring, but for @tail_ns. */
int recording_scan(struct recording *recording, struct err *err);

/**
 * recording_probe() - what the rings of a channel and of its copies hold, before recording_scan()
 * @events: their number, those of copies too
 * @damaged: sub-buffers that are damaged, lost or not in the file: events may be missing
 *
 * Notes nothing. Return: 0 or -ERR_.
 */
int recording_probe(const struct recording *recording, const char *channel, u64 *events, u64 *damaged,
		    struct err *err);

/* Adds log lines and machine checks to @extras, which @recording must outlive. */
int recording_extras(const struct recording *recording, struct aux_events *extras, struct err *err);

/* Accepts NULL. */
void recording_close(struct recording *recording);

/* CLOCK_MONOTONIC of the time of an event, by the clock of the reference CPU, ns. */
static inline u64 recording_mono(const struct recording *recording, u64 time)
{
	return clock_mono(&recording->clock, clock_of_time(&recording->clock, time));
}

/* The time of an event of @ring on the clock of the reference CPU. */
static inline u64 recording_ring_time(const struct recording_ring *ring, u64 time)
{
	const struct clock *clock = &ring->recording->clock;

	return clock_on_reference(clock, ring->cpu, clock_of_time(clock, time)) >> clock->shift;
}

/* The time of an event of @ring at @ns of CLOCK_MONOTONIC, or before. */
static inline u64 recording_ring_raw(const struct recording_ring *ring, u64 ns)
{
	const struct clock *clock = &ring->recording->clock;
	u64 value = ns ? clock_of_mono(clock, ns) : 0, ahead = skew_most(clock->skew);

	return value > ahead ? (value - ahead) >> clock->shift : 0;
}

/* CLOCK_MONOTONIC of the time of an event of @ring, ns. */
static inline u64 recording_ring_mono(const struct recording_ring *ring, u64 time)
{
	const struct clock *clock = &ring->recording->clock;

	return clock_mono(clock, clock_on_reference(clock, ring->cpu, clock_of_time(clock, time)));
}

#endif
