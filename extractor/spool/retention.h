/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many saved traces are kept: docs/services.md, "Retention". */
#ifndef EPITAPH_SPOOL_RETENTION_H
#define EPITAPH_SPOOL_RETENTION_H

#include "base/err.h"

/* 0: no limit. */
struct retention {
	u64 count;
	u64 size;	/* bytes that the files take on disk */
};

/**
 * struct retention_place - a directory of traces
 * @store: its descriptor, locked
 * @prefix: of the names of traces
 * @temporary: of names that are none
 * @newest: the trace that was saved just now, which stays; NULL: none
 * @target: only what has been sent there goes; NULL: nothing is sent
 * @on_removed: called for each that is gone; NULL: nothing is
 * @also: another directory on the same file system, whose traces count together with these; of its
 * members, @newest, @target and @also mean nothing.  NULL: none
 */
struct retention_place {
	int store;
	const char *prefix;
	const char *temporary;
	const char *newest;
	const char *target;
	void (*on_removed)(void *arg, const char *name, u64 size);
	void *arg;
	const struct retention_place *also;
};

/**
 * retention_apply() - remove the oldest as long as there are too many
 * @ret_unsent: those that would have gone, and were not sent yet
 *
 * Old is what was saved first, wherever it is.  One always stays.  What is not ours stays and is not
 * counted: other names, other owners, directories with more than files in them.
 *
 * Return: 0 or -ERR_IO.
 */
int retention_apply(const struct retention *limit, const struct retention_place *place,
		    u32 *ret_unsent, struct err *err);

/**
 * retention_make_room() - remove the oldest that may go, for a trace to come
 * @bytes: that it takes on disk; 0: unknown
 * @ret_unsent: those that would have gone, and were not sent yet
 *
 * More go only while fewer than @bytes are free.  The newest one stays, and so do all where it is
 * known that they would not be enough.  A quota or inodes may be what lacks: the caller tries again
 * after each call.
 *
 * Return: 1: something went; 0: nothing may go; -ERR_IO.
 */
int retention_make_room(const struct retention_place *place, u64 bytes, u32 *ret_unsent,
			struct err *err);

/* Bytes that this user may still write there. */
u64 retention_free_bytes(int store);

#endif
