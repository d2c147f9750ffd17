/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Examines one ring: which sub-buffers are good, their order, and the time from which on the ring
 * is complete. Keeps no events: readers read the sub-buffers again by ring_scan_load().
 */
#ifndef EPITAPH_REGION_RING_SCAN_H
#define EPITAPH_REGION_RING_SCAN_H

#include "base/byte_source.h"
#include "subbuf.h"

/* Further sub-buffers, of all rings together, are ignored. */
#define SCAN_MAX_SUBS	(1U << 19)

#define RING_SCAN_READ	(64U << 10)	/* bytes read at once */

enum scan_flag {
	SCAN_IN_USE = 1,	/* not empty */
	SCAN_CHAINED = 2,	/* reached from the newest one by prev */
	SCAN_GAP = 4,		/* its predecessor is not the entry before it */
	SCAN_BACK = 8,		/* the time of an event goes back */
	SCAN_UNPROVEN = 16,	/* no sum covers one of its events */
	SCAN_CONSOLE = 32,	/* it contains a console line */
	SCAN_REPAIRED = 64,	/* its check holds since its parity corrected it */
	SCAN_OLDER = 128,	/* as that, but its parity may be older: events may be missing */
};

/**
 * struct scanned_subbuf - one sub-buffer of a scanned ring
 * @first: time of its first event
 * @last: time of its last event
 * @least, @most: no time in it is before or after
 * @lost: events lost until it was begun
 * @digest: fast hash of all bytes, to recognise them
 * @slot: its place in the ring
 * @flags: enum scan_flag
 * @state: SUBBUF_GOOD or SUBBUF_DAMAGED
 * @nr_torn, @nr_taken, @nr_unproven, @bad_end: what the ring's counts have of it
 */
struct scanned_subbuf {
	u64 seq;
	u64 time;
	u64 first;
	u64 last;
	u64 least;
	u64 most;
	u64 lost;
	u64 digest;
	u32 slot;
	u32 prev;
	u32 nr_events;
	u16 flags;
	u16 state;
	u16 nr_torn;
	u16 nr_taken;
	u8 nr_unproven;
	bool bad_end;
};

/* No event of it is after that. */
static inline u64 scanned_latest(const struct scanned_subbuf *sub)
{
	return sub->flags & SCAN_BACK ? sub->most : sub->last;
}

/**
 * struct ring_scan - one ring
 * @src: the section; set by the caller, as are all fields before @subs
 * @size: bytes of the section
 * @unit: bytes of a sub-buffer
 * @salt: of the generation
 * @ids: sizes of events
 * @is_copy: a copied ring, whose first sub-buffers may be missing although others are free
 * @on_damage: called for each damage, with its offset in the section; may be NULL
 * @subs: sub-buffers in use, oldest first
 * @nr_lost_subs: sub-buffers whose header is damaged or missing
 * @nr_damaged: sub-buffers whose events are damaged
 * @nr_repaired: good ones that would be damaged or lost without their parity
 * @nr_missing: sub-buffers that are not in the file
 * @nr_bad_ends: sub-buffers whose recorded end is damaged
 * @nr_unread: left out because of SCAN_MAX_SUBS
 * @nr_withheld: committed events found in damaged sub-buffers
 * @nr_torn: events claimed and not committed
 * @nr_taken: claims of which nothing was stored
 * @nr_unproven: whole events that no sum covers yet; counted in @nr_events too
 * @nr_events: good committed events
 * @lost_first: events lost until the oldest sub-buffer was begun
 * @lost_last: events lost until the newest one was begun
 * @implausible: more unfinished events than levels
 * @horizon: time from which on the ring is complete
 * @complete: the newest sub-buffer is good: @horizon is valid
 * @whole: nothing was overwritten yet: the horizon is the start of the recording
 * @nr_held: sub-buffers outside the chain: a writer in them was interrupted
 * @not_read: bytes of older sub-buffers that ring_tail_end() left unread; 0: all were examined
 */
struct ring_scan {
	struct source src;
	u64 size;
	u32 unit;
	u64 salt;
	const struct ids *ids;
	bool is_copy;
	void (*on_damage)(void *priv, u64 off, const char *why);
	void *priv;

	struct scanned_subbuf *subs;
	u32 nr_subs;
	u32 nr_lost_subs;
	u32 nr_damaged;
	u32 nr_repaired;
	u32 nr_missing;
	u32 nr_bad_ends;
	u32 nr_unread;
	u32 nr_torn;
	u32 nr_taken;
	u32 nr_unproven;
	u32 nr_held;
	u64 nr_events;
	u64 nr_withheld;
	u64 lost_first;
	u64 lost_last;
	u64 horizon;
	bool complete;
	bool whole;
	bool implausible;
	u64 not_read;
};

/**
 * ring_scan() - examine all sub-buffers of a ring
 * @scan: with the fields of the caller; the others zero
 * @left: rest of SCAN_MAX_SUBS; counts down
 *
 * Return: 0, or -ERR_IO. Damage is no error; @scan counts it. Free with ring_scan_free().
 */
int ring_scan(struct ring_scan *scan, u32 *left, struct err *err);

/* ring_scan() in parts: all from @off to @to, whole sub-buffers; then ring_scan_finish(), once. */
int ring_scan_part(struct ring_scan *scan, u64 off, u64 to, u32 *left, struct err *err);
void ring_scan_finish(struct ring_scan *scan);

/* By seq, as all that follows needs it. */
void ring_scan_sort(struct ring_scan *scan);

/* The entry of the sub-buffer that came before that of entry @i; -1: not there. */
s64 ring_scan_predecessor(const struct ring_scan *scan, u32 i);

/* Takes out of the counts what they have of @sub, which is left out. */
void ring_scan_uncount(struct ring_scan *scan, const struct scanned_subbuf *sub);

/* The first entry of @seq or a later one, by a search among entries that are sorted. */
u32 ring_scan_find(const struct ring_scan *scan, u64 seq);

void ring_scan_free(struct ring_scan *scan);

/**
 * ring_scan_repair() - correct a sub-buffer whose check does not hold, by its parity
 * @scan: with the fields of the caller
 * @off: of the sub-buffer in the section
 * @data: its bytes as they were read; corrected, if that makes it a good one
 * @sub: as subbuf_check() left it; then as it leaves the corrected one
 *
 * Return: 0; or SCAN_REPAIRED, with SCAN_OLDER or without.
 */
u16 ring_scan_repair(const struct ring_scan *scan, u64 off, void *data, struct subbuf *sub);

/**
 * ring_scan_load() - read one of @scan->subs again
 * @sub: filled in as by subbuf_header(); with @unproven where an event is unproven
 * @data: room for @scan->unit bytes
 * @raw: as @data; set to the bytes before they were repaired, if they were; may be NULL
 *
 * Return: false if the sub-buffer has changed.
 */
bool ring_scan_load(const struct ring_scan *scan, u32 i, struct subbuf *sub, void *data, void *raw);

#endif
