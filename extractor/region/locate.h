/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks for a header in an input: at the first page of every segment, at the
 * last ones for the copy, at every page.
 */
#ifndef EPITAPH_REGION_LOCATE_H
#define EPITAPH_REGION_LOCATE_H

#include <epitaph/format.h>

#include "dump/dump.h"

enum find_verdict {
	FIND_NOTHING,		/* no magic */
	FIND_SWAPPED,		/* the magic, byte-swapped */
	FIND_DAMAGED,		/* the check does not hold */
	FIND_FOREIGN,		/* it holds, and the version or a feature is unknown */
	FIND_ABSURD,		/* it holds, and the numbers cannot be */
	FIND_GOOD,
};

/**
 * struct find_header - a header, or what was taken for one
 * @base: of its generation in the input
 * @hdr: in host order
 * @table: header and section table as they lie in the file; owned
 * @why: in words, unless FIND_GOOD or FIND_NOTHING
 */
struct find_header {
	enum find_verdict verdict;
	u64 base;
	bool is_copy;
	struct epitaph_header hdr;
	u8 *table;
	char why[160];
};

/* find_header_at() - is there one at @addr?  Fills @found; see find_header_free(). */
enum find_verdict find_header_at(struct find_header *found, struct dump *in,
				 u64 addr);

/* Does the page at @addr begin with the magic, in either byte order? */
bool find_magic_at(struct dump *in, u64 addr);

void find_header_free(struct find_header *found);

/**
 * find_first() - the first good header of an input
 *
 * One that lies where it says it was recorded is taken before one that does
 * not: a file with a region may be in the page cache of a dump.
 *
 * Return: as generation_set_find().
 */
int find_first(struct find_header *found, struct dump *in, struct err *err);

#endif
