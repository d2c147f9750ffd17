/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Magics of the pages that are searched for in all of the memory: their first 8 bytes. They are
 * here because one walk over a dump finds all of them.
 */
#ifndef EPITAPH_DUMP_PAGE_MAGIC_H
#define EPITAPH_DUMP_PAGE_MAGIC_H

#include <endian.h>
#include <string.h>

#include <epitaph/format.h>

#include "base/types.h"

#define FTRACE_META_MAGIC	0x0badfeedU

/* The magic of our header.  Only here in its plain form, and only in a register. */
static inline u64 page_magic_region(void)
{
	volatile u64 inverted = EPITAPH_MAGIC_INVERTED;

	return ~inverted;
}

#define PAGE_MAGIC_FLIPS	8	/* bits of our magic that memory may have lost */

/* Our header, in either byte order, or what may become it by its parity. */
static inline bool page_magic_is_region(const u8 first[8])
{
	u64 word;

	memcpy(&word, first, sizeof(word));
	word = le64toh(word);
	return __builtin_popcountll(word ^ page_magic_region()) <= PAGE_MAGIC_FLIPS ||
	       word == __builtin_bswap64(page_magic_region());
}

/* A page of VMCOREINFO: "OSRELEASE=". */
static inline bool page_magic_is_vmcoreinfo(const u8 first[8])
{
	return !memcmp(first, "OSRELEAS", 8);
}

/* A buffer of ftrace that outlives a reboot, in either byte order. */
static inline bool page_magic_is_ftrace(const u8 first[8])
{
	u32 word;

	memcpy(&word, first, sizeof(word));
	return word == FTRACE_META_MAGIC || word == __builtin_bswap32(FTRACE_META_MAGIC);
}

#endif
