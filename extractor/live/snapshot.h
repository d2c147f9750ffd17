/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Copies the generation of a running recorder, as it was at one moment: docs/control.md. */
#ifndef EPITAPH_LIVE_SNAPSHOT_H
#define EPITAPH_LIVE_SNAPSHOT_H

#include "base/err.h"
#include "reading/reading.h"

struct recording;

/**
 * struct snapshot_counts - the result of snapshot_take()
 * @size: bytes of the file
 * @moment_ns: CLOCK_MONOTONIC of the end of the copy
 * @rings: copied rings
 * @subs: sub-buffers with events from before the moment
 * @lapped: sub-buffers that were overwritten before they were read
 * @lost_rings: rings without any event left for that reason
 * @cut: sub-buffers whose end is withheld because no sum covers it
 * @unsteady: entries of tables that changed during every read; zeroes in the copy
 * @gone: channels that were removed during the copy
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
 * snapshot_take() - copy a generation to a file
 * @recording: opened and not scanned; recording_more() is called on it
 * @channel: the only channel to copy; NULL: all
 * @no_rings: copy no sub-buffers, only what their events need, and the counters
 * @fd: of an empty file
 * @counts: filled in
 *
 * Return: 0; -ERR_USAGE: no such channel; -ERR_NOT_OURS: no recorder writes to it; -ERR_IO.
 */
int snapshot_take(struct recording *recording, const char *channel, bool no_rings, int fd,
		  struct snapshot_counts *counts, struct err *err);

/**
 * struct snapshot_request - of what, and where to
 * @device: what @in is called
 * @in: of the region
 * @channel: the only channel to copy; NULL: all
 * @no_rings: no sub-buffers
 * @path: what @out is called
 * @out: of an empty file
 * @counts: filled in; shared with the process that asks
 */
struct snapshot_request {
	const char *device;
	int in;
	const char *channel;
	bool no_rings;
	const char *path;
	int out;
	struct snapshot_counts *counts;
};

/* For reading.run, with a struct snapshot_request and no FILE. */
int snapshot_device(struct file_list *files, void *request);

#endif
