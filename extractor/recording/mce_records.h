/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks that a generation holds. */
#ifndef EPITAPH_RECORDING_MCE_RECORDS_H
#define EPITAPH_RECORDING_MCE_RECORDS_H

#include "event/aux_event.h"
#include "mce/mce.h"
#include "region/clock.h"
#include "region/generation.h"
#include "klog.h"

#define MCES_MAX	16384	/* more are counted, and not read */

/**
 * struct mces - all of them
 * @list: @nr by time
 * @recorded: how many were, as far as the numbers tell
 * @evicted: of these, overwritten between the first ones and the last ones
 * @after: number of the last one before those
 * @absent: neither there nor evicted: damaged, or not finished
 * @unfinished: of these, being written when the CPU stopped
 * @unreadable: entries that are damaged or not in the file
 * @there: there is a section for them
 */
struct mces {
	struct mce *list;
	u32 nr;
	u64 recorded;
	u64 evicted;
	u64 after;
	u64 absent;
	u64 unfinished;
	u64 unreadable;
	bool there;
};

/* mces_read() - read, check, sort and join what tells of the same error */
int mces_read(struct mces *mces, struct generation *generation, const struct clock *clock,
	      const struct klog *klog, struct err *err);

/* mces_place() - give each its place in a timeline; @mces must outlive it */
int mces_place(const struct mces *mces, struct aux_events *extras, struct err *err);

void mces_free(struct mces *mces);

/* Adds one, for mces_join() afterwards.  The list is limited to MCES_MAX. */
int mces_add(struct mces *mces, const struct mce *mce, struct err *err);

/* Sorts by time, and makes one of several that tell of the same error. */
void mces_join(struct mces *mces);

/* How many there are, each error counted once. */
u32 mces_count(const struct mces *mces);

#endif
