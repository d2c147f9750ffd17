/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The captures that a directory has, by age. */
#ifndef EPITAPH_SPOOL_SAVED_CAPTURES_H
#define EPITAPH_SPOOL_SAVED_CAPTURES_H

#include <time.h>

#include "base/err.h"
#include "spool.h"

/**
 * struct saved_capture - one of them
 * @store: descriptor of the directory that it is in
 * @saved: when its region was saved, by the clock of then
 * @order: by which they are older or newer: saved_capture_order()
 * @size: bytes that its files take on disk
 * @sent: the target that was asked for has it
 */
struct saved_capture {
	char name[SPOOL_NAME];
	int store;
	struct timespec saved;
	struct timespec order;
	u64 size;
	bool sent;
};

/**
 * struct saved_captures - all of a directory, the oldest first
 * @size: of all
 * @others: directories with our names that belong to another user, or cannot be opened
 */
struct saved_captures {
	struct saved_capture *list;
	size_t nr;
	u64 size;
	u32 others;
};

/**
 * saved_captures_read() - list them
 * @all: zeroes, or those of another directory, which it is added to; for saved_captures_free(), also
 * on failure
 * @store: descriptor of the directory
 * @prefix: of their names; NULL: those of captures and of harvests
 * @target: see @sent; NULL: none
 *
 * Left out is what is not ours: other names, other owners, directories with more than files, or
 * without a region.
 */
int saved_captures_read(struct saved_captures *all, int store, const char *prefix,
			const char *target, struct err *err);

/**
 * saved_capture_order() - how new a capture is
 * @saved: when its region was saved
 *
 * The later of that and of what the name says, as a clock that was not set is in the past. What is
 * later than tomorrow is not believed, unless both are.
 */
struct timespec saved_capture_order(const char *name, const struct timespec *saved);

void saved_captures_free(struct saved_captures *all);

#endif
