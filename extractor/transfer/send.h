/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One capture to a target, of whatever kind, and the mark that it is there: docs/send.md. */
#ifndef EPITAPH_TRANSFER_SEND_H
#define EPITAPH_TRANSFER_SEND_H

#include "archive.h"
#include "send_conf.h"
#include "target_url.h"

#define FIRST_PAUSE	1000	/* ms, between two tries */

/**
 * struct delivery - where to and how
 * @deadline: of monotonic_ms(), for all that is to be sent
 * @same_filesystem: a directory may be on that of the capture
 * @region_only: without its texts
 * @verbose: print what the process that reads a region is locked in by
 */
struct delivery {
	struct target_url target;
	const struct send_conf *conf;
	u64 deadline;
	bool same_filesystem;
	bool region_only;
	bool verbose;
};

/**
 * send_capture() - try until the target has it, or refuses it, or the deadline comes
 * @dir: descriptor of the capture's directory
 * @m: in: its host; out: what was sent
 * @name: out: the name of the archive at the target
 * @err: why the last try failed
 *
 * It is marked as sent only after the target's success answer.
 *
 * Return: 0; 1: the target has it, and @err says why that could not be marked; or an error.
 */
int send_capture(const struct delivery *d, int dir, struct manifest *m, char name[ARCHIVE_NAME],
		 struct err *err);

/* Reach the target with the credentials, and store nothing.  One try. */
int send_check(const struct delivery *d, struct err *err);

#endif
