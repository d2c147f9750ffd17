/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One ring: which of its sub-buffers are good, in what order, and from when on
 * it is complete.  Events are not kept; timeline.h reads them again.
 */
#ifndef EPITAPH_REGION_RING_SCAN_H
#define EPITAPH_REGION_RING_SCAN_H

#include "base/byte_source.h"
#include "subbuf.h"

/* More sub-buffers than this, of all rings together, are not looked at. */
#define SCAN_MAX_SUBS	(1U << 19)

enum scan_flag {
	SCAN_IN_USE = 1,	/* it holds something */
	SCAN_CHAINED = 2,	/* the newest leads to it */
	SCAN_GAP = 4,		/* its predecessor is not the one before it here */
	SCAN_BACK = 8,		/* times go back in it */
	SCAN_UNPROVEN = 16,	/* an event of it is covered by no sum */
	SCAN_CONSOLE = 32,	/* a line of the console is in it */
};

/**
 * struct scanned_subbuf - what is remembered of one sub-buffer
 * @first: time of its first event
 * @last: time of its last event
 * @lost: events lost until it was begun
 * @digest: of all its bytes, to know them again
 * @slot: its place in the ring
 * @flags: enum scan_flag
 * @state: SUB_GOOD or SUB_DAMAGED
 */
struct scanned_subbuf {
	u64 seq;
	u64 time;
	u64 first;
	u64 last;
	u64 lost;
	u64 digest;
	u32 slot;
	u32 prev;
	u32 nr_events;
	u16 flags;
	u16 state;
};

/**
 * struct ring_scan - one ring
 * @src: its section; set by the caller, as are the next six
 * @size: bytes of it
 * @unit: bytes of a sub-buffer
 * @salt: of the generation
 * @ids: sizes of events
 * @is_copy: of a ring, so that the first ones may lack though there is room for more
 * @on_damage: called for each thing that is wrong, with its offset in the section
 * @subs: those that hold something, oldest first
 * @nr_lost_subs: headers that do not check, or are gone
 * @nr_damaged: sub-buffers whose events do not
 * @nr_missing: sub-buffers that are not in the file
 * @nr_bad_ends: notes of the end that are damaged
 * @nr_unread: left out because of SCAN_MAX_SUBS
 * @nr_withheld: committed events found in damaged sub-buffers
 * @nr_torn: events claimed and not committed
 * @nr_taken: claims of which nothing was stored
 * @nr_unproven: events, whole, that no sum covers yet; among @nr_events
 * @nr_events: committed, and good
 * @lost_first: events lost until the oldest sub-buffer was begun
 * @lost_last: events lost until the newest one was begun
 * @implausible: more torn events than writers can be interrupted
 * @horizon: time from which on the ring is complete
 * @complete: the newest sub-buffer is good, so that there is a horizon
 * @whole: nothing was overwritten yet: the horizon is the beginning
 * @nr_held: sub-buffers behind a gap that the ring went around
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
};

/**
 * ring_scan() - look at all sub-buffers of a ring
 * @scan: the caller's part filled in, the rest zero
 * @left: of SCAN_MAX_SUBS; counts down
 *
 * Return: 0, or -ERR_IO.  Damage is in @scan.
 */
int ring_scan(struct ring_scan *scan, u32 *left, struct err *err);

void ring_scan_free(struct ring_scan *scan);

/**
 * ring_scan_load() - read one of @scan->subs again
 * @sub: what subbuf_header() fills in, and whether an event is unproven
 * @data: room for @scan->unit bytes
 *
 * Return: false if it is not what it was.
 */
bool ring_scan_load(const struct ring_scan *scan, u32 i, struct subbuf *sub, void *data);

#endif
