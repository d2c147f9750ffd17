/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the header of a generation in a dump. */
#ifndef EPITAPH_REGION_LOCATE_H
#define EPITAPH_REGION_LOCATE_H

#include <epitaph/format.h>

#include "dump/dump.h"
#include "generation.h"

enum find_verdict {
	FIND_NOTHING,		/* no magic */
	FIND_SWAPPED,		/* the magic, byte-swapped */
	FIND_DAMAGED,		/* the check does not hold */
	FIND_FOREIGN,		/* the check holds; the version or a feature is unknown */
	FIND_ABSURD,		/* the check holds; a number is impossible */
	FIND_GOOD,
};

/**
 * struct find_header - a header that was found, good or not
 * @base: address of the generation in the dump
 * @is_copy: the header is the copy at the end of the generation
 * @is_repaired: its parity brought it back
 * @hdr: in host byte order
 * @table: header and section table as in the file; owned
 * @why: what is wrong, in words, unless FIND_GOOD or FIND_NOTHING
 */
struct find_header {
	enum find_verdict verdict;
	u64 base;
	bool is_copy;
	bool is_repaired;
	struct epitaph_header hdr;
	u8 *table;
	char why[160];
};

/* Reads and checks the header at @addr. @found always needs find_header_free(). */
enum find_verdict find_header_at(struct find_header *found, struct dump *in, u64 addr);

/**
 * find_header_repaired() - the same; a damaged header at the start of a generation is corrected
 *
 * Its parity lies behind the section table, whose size the header says: each possible size is tried.
 */
enum find_verdict find_header_repaired(struct find_header *found, struct dump *in, u64 addr);

/* Does the page at @addr begin with the magic, in either byte order, or nearly so? */
bool find_magic_at(struct dump *in, u64 addr);

void find_header_free(struct find_header *found);

#define REGION_MAX_LARGER	16	/* it is enlarged to so many times its size at most */

/* Bytes of the region, as a header says; it may have been enlarged since. */
u64 header_region_size(const struct epitaph_header *h);

/**
 * find_region() - find a good header of the region that a dump is to be read by
 * @others: those of recorders before, at other addresses
 *
 * A header at the address that it records comes before another one: the page cache of a dump
 * may contain a file with a region.  Of several such regions it is that of the dump's own kernel,
 * by VMCOREINFO, and of its newest recorder.  A program can write such headers to its memory: where
 * only a date tells them apart, that is said, and a date behind the dump's own is none.
 *
 * Return: as generation_set_find().
 */
int find_region(struct find_header *found, struct other_regions *others, struct dump *in, struct err *err);

#endif
