/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The newest sub-buffers of a large ring, without reading the rest of it: docs/read-a-dump.md.
 *
 * A writer goes around its ring, so the newest sub-buffers lie before a place that the numbers in
 * a few headers find. From there they are read backwards. If their chain has a gap there, or a
 * header does not check, the whole ring is read.
 */
#ifndef EPITAPH_REGION_RING_TAIL_H
#define EPITAPH_REGION_RING_TAIL_H

#include "ring_scan.h"

/**
 * struct ring_tail - how much of a ring was read
 * @nr: pieces of RING_SCAN_READ bytes; the last may be shorter
 * @next: the piece to read next, before those that were read
 * @nr_read: pieces that were read
 * @from: time of events that the tail has to reach
 * @newest: the largest number of a sub-buffer with which a piece begins; 0: all are empty
 */
struct ring_tail {
	struct ring_scan *scan;
	u64 nr;
	u64 next;
	u64 nr_read;
	u64 from;
	u64 newest;
};

/* Finds the newest piece. @scan, @left: as for ring_scan(), which is not called then. */
int ring_tail_begin(struct ring_tail *tail, struct ring_scan *scan, u32 *left, struct err *err);

/* Reads on, until all later events are read that have a time of @from or later, and @bytes at least. */
int ring_tail_read(struct ring_tail *tail, u64 from, u64 bytes, u32 *left, struct err *err);

/* Then @scan is as ring_scan() leaves it, but for its not_read and what that has. */
int ring_tail_end(struct ring_tail *tail, u32 *left, struct err *err);

#endif
