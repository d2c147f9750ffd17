/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A generation that is recorded into, as it was at one moment, in a file:
 * docs/control.md, Snapshots.  Writers do not notice.
 */
#ifndef EPITAPH_LIVE_SNAPSHOT_H
#define EPITAPH_LIVE_SNAPSHOT_H

#include "recording/recording.h"

/**
 * struct snapshot_counts - what came of it
 * @size: of the file
 * @moment_ns: CLOCK_MONOTONIC of what the copy ends with
 * @rings: that were copied
 * @subs: sub-buffers of them with something from before the moment
 * @lapped: that were overwritten before they were read
 * @lost_rings: of which nothing is left by that
 * @cut: sub-buffers whose end is withheld, because nothing vouches for it
 * @unsteady: entries of tables that never stood still; zeroes in the copy
 * @gone: channels that were removed meanwhile
 */
struct snapshot_counts {
	u64 size;
	u64 moment_ns;
	u32 rings;
	u32 subs;
	u32 lapped;
	u32 lost_rings;
	u32 cut;
	u32 unsteady;
	u32 gone;
};

/**
 * snapshot_take() - copy it
 * @recording: opened and not scanned; what joins meanwhile is read into it
 * @channel: that alone; NULL: all
 * @fd: of an empty file
 *
 * Return: 0; -ERR_USAGE: no such channel; -ERR_NOT_OURS: nobody records into it;
 *	-ERR_IO.
 */
int snapshot_take(struct recording *recording, const char *channel, int fd,
		  struct snapshot_counts *counts, struct err *err);

#endif
