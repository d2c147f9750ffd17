/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Machine checks that a generation holds: numbers, in host order.  Words are
 * made of them by mce_words.h, whenever they are wanted.
 */
#ifndef EPITAPH_MCE_H
#define EPITAPH_MCE_H

#include "clock.h"
#include "extra.h"
#include "klog.h"
#include "region.h"

#define MCES_MAX	16384	/* more are told, and not read */

/* Beside enum epitaph_mce_source: one that is not known here, and the text that the kernel logged. */
#define MCE_UNKNOWN_SOURCE	0
#define MCE_KERNEL_LOG		5

/* Bits of the registers, of either vendor. */
#define STATUS_VAL	(1ULL << 63)
#define STATUS_OVER	(1ULL << 62)
#define STATUS_UC	(1ULL << 61)
#define STATUS_EN	(1ULL << 60)
#define STATUS_MISCV	(1ULL << 59)
#define STATUS_ADDRV	(1ULL << 58)
#define STATUS_PCC	(1ULL << 57)

#define MCG_RIPV	(1ULL << 0)
#define MCG_EIPV	(1ULL << 1)
#define MCG_MCIP	(1ULL << 2)
#define MCG_LMCE	(1ULL << 3)

/**
 * struct mce - one error
 * @seq: the recorder's number of it, or of the first that told it; 0: kernel log
 * @mono_ns: CLOCK_MONOTONIC then
 * @real_ns: time of day then; 0: not known
 * @pid: that ran there, and @comm; -1: not known
 * @sources: bits 1 << enum epitaph_mce_source, or one of the two above
 * @same: index of another CPU's record of the same, read on the way down; 0: none
 * @is_same: some other record has it in its chain
 * @comm: not escaped
 *
 * The other fields are those of struct epitaph_mce.
 */
struct mce {
	u64 seq;
	u64 mono_ns;
	u64 real_ns;
	u64 status;
	u64 addr;
	u64 misc;
	u64 synd;
	u64 ipid;
	u64 mcgstatus;
	u64 mcgcap;
	u64 tsc;
	u64 time;
	u64 ip;
	u64 ppin;
	u64 synd1;
	u64 synd2;
	s64 pid;
	u32 sources;
	u32 recorded_by;
	u32 cpu;
	u32 bank;
	u32 cpuid;
	u32 apicid;
	u32 socket;
	u32 microcode;
	u32 kflags;
	u32 same;
	u8 cs;
	u8 vendor;
	u8 inject_flags;
	u8 severity;
	bool is_same;
	char comm[17];
};

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
int mces_read(struct mces *mces, struct region *region, const struct clock *clock,
	      const struct klog *klog, struct err *err);

/* mces_place() - give each its place in a timeline; @mces must outlive it */
int mces_place(const struct mces *mces, struct extras *extras, struct err *err);

void mces_free(struct mces *mces);

/* Adds one, for mces_join() afterwards.  The list is limited to MCES_MAX. */
int mces_add(struct mces *mces, const struct mce *mce, struct err *err);

/* Sorts by time, and makes one of several that tell of the same error. */
void mces_join(struct mces *mces);

/* How many there are, each error counted once. */
u32 mces_count(const struct mces *mces);

#endif
