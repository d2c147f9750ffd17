/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The interface between the files of snapshot.h. */
#ifndef EPITAPH_LIVE_SNAPSHOT_IMPL_H
#define EPITAPH_LIVE_SNAPSHOT_IMPL_H

#include "recording/recording.h"
#include "snapshot.h"

/**
 * struct snapshot - the state of a snapshot
 * @image: the copy in memory, size bytes of @counts
 * @moment: the end of the copy of a ring, as the clock of its CPU says it
 * @begun: CLOCK_MONOTONIC of the start
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
 * snapshot_steady() - copy a table while its entries are written
 * @unit: bytes of an entry; 0: a stream of bytes
 *
 * Copies each entry as it was at some time. An entry that changes during every read is counted
 * and becomes zeroes.
 */
int snapshot_steady(const struct snapshot *s, u64 off, u64 size, u32 unit);

/* Copies the sub-buffers of a ring. Those from after the moment become unused ones. */
int snapshot_ring(const struct snapshot *s, const struct section *sec);

/**
 * snapshot_settle() - end a ring of the copy at the moment
 *
 * Reads sub-buffers again whose events were not committed at the first read.
 */
int snapshot_settle(const struct snapshot *s, const struct section *sec);

#endif
