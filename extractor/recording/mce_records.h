/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The machine checks of a generation. */
#ifndef EPITAPH_RECORDING_MCE_RECORDS_H
#define EPITAPH_RECORDING_MCE_RECORDS_H

#include "event/aux_event.h"
#include "mce/mce.h"
#include "region/clock.h"
#include "region/generation.h"
#include "klog.h"

#define MCES_MAX	16384	/* further machine checks are counted, but not read */

/**
 * struct mces - machine checks
 * @list: @nr machine checks, sorted by time; owned
 * @recorded: the highest number
 * @evicted: number of records that were overwritten, between the first and the last ones
 * @after: number of the last record before the evicted ones
 * @absent: records that are neither in @list nor evicted
 * @unfinished: records that were being written when the CPU stopped; counted in @absent too
 * @unreadable: entries that are damaged or not in the file
 * @there: the generation has a section of machine checks
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

/* Reads the records of a generation and those in @klog into the zeroed @mces; mces_join()s them. */
int mces_read(struct mces *mces, struct generation *generation, const struct clock *clock,
	      const struct klog *klog, struct err *err);

/* Adds all machine checks to a timeline, which @mces must outlive. */
int mces_place(const struct mces *mces, struct aux_events *extras, struct err *err);

void mces_free(struct mces *mces);

/* Adds a machine check, unless there are MCES_MAX. Call mces_join() after the last one. */
int mces_add(struct mces *mces, const struct mce *mce, struct err *err);

/* Sorts by time, and joins the reports of one error. */
void mces_join(struct mces *mces);

/* Number of errors: reports of a shared bank count once. */
u32 mces_count(const struct mces *mces);

#endif
