/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: mce - the meaning of machine checks
 *
 * struct mce has the registers of one machine check. mce/decode.h turns them into words; the
 * functions there have no state and allocate only what mce_text() returns:
 *
 *	mce_put_grade(stdout, &mce);
 *	fputs("; ", stdout);
 *	mce_put_what(stdout, &mce);
 *
 * recording/mce_records.h and timeline/ read machine checks from dumps.
 */
#ifndef EPITAPH_MCE_MCE_H
#define EPITAPH_MCE_MCE_H

#include <epitaph/format.h>

#include "base/types.h"

/* Beside enum epitaph_mce_source: an unknown source, and the kernel's log. */
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
 * struct mce - one machine check, in host byte order
 * @seq: number of the first record of this error; 0: from the kernel's log
 * @mono_ns: CLOCK_MONOTONIC of the error
 * @real_ns: UTC of the error since 1970; 0: unknown
 * @pid: the running thread, with @comm; -1: unknown
 * @sources: bits 1 << enum epitaph_mce_source, or one of the two above
 * @same: index of the record of the same error by another CPU; 0: none
 * @is_same: another record has this one as @same
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

#endif
