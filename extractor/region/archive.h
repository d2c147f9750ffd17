/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What "epitaph record" has read out of the rings of a generation, joined with what is in the
 * rings: docs/consume.md.
 */
#ifndef EPITAPH_REGION_ARCHIVE_H
#define EPITAPH_REGION_ARCHIVE_H

#include "base/byte_source.h"
#include "generation.h"
#include "ring_scan.h"

/**
 * struct archived_subbuf - one that was read out
 * @at: in the archive
 * @off: where it was in its ring
 */
struct archived_subbuf {
	struct dump *archive;
	u64 at;
	u64 off;
};

/**
 * struct archived_ring - what was read out of one ring
 * @ring_size: bytes of the ring
 * @subs: the oldest first; nr of them, with room for more
 * @is_joined: it was found in the region; set by who joins them
 * @below: the ring itself, for archive_join()
 */
struct archived_ring {
	u32 channel;
	u32 cpu;
	u32 unit;
	u64 ring_size;
	struct archived_subbuf *subs;
	u32 nr;
	u32 room;
	bool is_joined;
	struct source below;
};

/**
 * struct archived - all that archives have of a generation
 * @rings: nr of them, by channel and CPU
 * @nr_subs: sub-buffers of all rings, at most ARCHIVED_MAX_SUBS; what is in the region has the rest
 * @nr_old: older ones, which are left out
 * @nr_beyond: chunks of rings beyond ARCHIVED_MAX_RINGS, which are left out
 */
struct archived {
	struct archived_ring **rings;
	u32 nr;
	u32 nr_subs;
	u64 nr_old;
	u64 nr_beyond;
};

#define ARCHIVED_MAX_RINGS	16384

#define ARCHIVED_MAX_SUBS	(SCAN_MAX_SUBS / 2)

/* Looks through the archives of the generation's dump.  archived_free() is needed in any case. */
int archived_read(struct archived *all, struct generation *generation, struct err *err);
void archived_free(struct archived *all);

/* Those of the ring of @cpu, or NULL. */
struct archived_ring *archived_find(const struct archived *all, u32 channel, u32 cpu);

/**
 * archive_join() - a source of what was read out, and behind it of the ring
 * @ring: of archived_find(); must outlive the source
 * @below: the ring
 *
 * Sub-buffers that are still in the ring are there twice.
 */
struct source archive_join(struct archived_ring *ring, struct source below);

#endif
