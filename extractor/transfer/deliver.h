/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One trace to a target, whatever kind it is of, and the mark that it is there. */
#ifndef EPITAPH_TRANSFER_DELIVER_H
#define EPITAPH_TRANSFER_DELIVER_H

#include "spool/manifest.h"
#include "send_settings.h"
#include "target.h"

/**
 * struct delivery - where to
 * @deadline: ms of CLOCK_MONOTONIC, for all that is to be sent
 * @same_filesystem: a directory may be on that of the trace
 * @region_only: without its texts
 * @verbose: say what reads a region is locked in by
 */
struct delivery {
	struct target target;
	const struct send_settings *settings;
	struct secret key;
	u64 deadline;
	bool same_filesystem;
	bool region_only;
	bool verbose;
};

/**
 * deliver() - until it is there, or no more sense in trying
 * @path: of the trace's directory
 * @m: in: its host; out: what was sent
 * @placed: whether the target had it before
 * @err: why the last try failed
 */
int deliver(const struct delivery *d, const char *path, int dir, struct manifest *m,
	    struct placed *placed, struct err *err);

/* Would a trace of @m's host be taken now?  One try. */
int deliver_check(const struct delivery *d, struct manifest *m, struct err *err);

#endif
