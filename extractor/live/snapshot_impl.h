/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the parts of a snapshot know of each other. */
#ifndef EPITAPH_LIVE_SNAPSHOT_IMPL_H
#define EPITAPH_LIVE_SNAPSHOT_IMPL_H

#include "snapshot.h"

/**
 * struct snapshot - one under way
 * @image: the copy, size bytes of @counts, until it is whole
 * @moment: what is later is not in the copy; in units of the rings
 * @begun: CLOCK_MONOTONIC when it began
 */
struct snapshot {
	struct recording *recording;
	u8 *image;
	u64 moment;
	u64 begun;
	struct snapshot_counts *counts;
	struct err *err;
};

/* CLOCK_MONOTONIC in units of the rings. */
u64 snapshot_raw_at(const struct recording *recording, u64 mono_ns);

/**
 * snapshot_steady() - copy a table whose entries are written meanwhile
 * @unit: of an entry; 0: bytes that are appended
 *
 * Each entry is one that stood there, or zeroes, and counted.
 */
int snapshot_steady(const struct snapshot *s, u64 off, u64 size, u32 unit);

/* snapshot_ring() - copy its sub-buffers as they are, the newest first; later ones as if never used */
int snapshot_ring(const struct snapshot *s, const struct section *sec);

/**
 * snapshot_settle() - end a ring of the copy at the moment
 *
 * What was not committed then and is by now is read again.
 */
int snapshot_settle(const struct snapshot *s, const struct section *sec);

#endif
