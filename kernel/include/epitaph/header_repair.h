/* SPDX-License-Identifier: GPL-2.0-only */
/* Headers with flipped bits; builds in user space as well. */
#ifndef _EPITAPH_HEADER_REPAIR_H
#define _EPITAPH_HEADER_REPAIR_H

#include <epitaph/parity.h>
#include <epitaph/plat.h>

#define EPITAPH_REPAIR_PAGES	64	/* of the largest table that is tried: of 4000 sections */

/**
 * struct epitaph_header_repair - a search for such headers
 * @next: where it goes on
 * @found: the header that was corrected last: an offset in the region
 * @nr_wrong: bytes of it, and of its parity, that were wrong
 * @nr_tried: pages that looked like a header
 * @gf: by epitaph_gf_init()
 * @table, @parity: a copy that is tried
 *
 * Zeroed at first, but for @gf.  Too large for a stack.
 */
struct epitaph_header_repair {
	u64	next;
	u64	found;
	u32	nr_wrong;
	u32	nr_tried;
	struct epitaph_gf gf;
	u8	table[EPITAPH_REPAIR_PAGES * EPITAPH_PAGE] __aligned(8);
	u8	parity[EPITAPH_REPAIR_PAGES * EPITAPH_PARITY_SIZE];
};

/**
 * epitaph_header_repair() - correct the next header that can be, in place
 * @work: moves on
 * @base: the region
 * @size: of it
 * @bad: pages that must not be touched, as of epitaph_is_readable()
 *
 * A header is written only if all codewords of its table have become whole, and then the check of
 * the table holds.  A header whose check holds is left alone.  Copies have no parity to be found by.
 *
 * Context: process.
 * Return: false: there are no more.
 */
bool epitaph_header_repair(struct epitaph_header_repair *work, void *base, u64 size, const u8 *bad);

#endif /* _EPITAPH_HEADER_REPAIR_H */
