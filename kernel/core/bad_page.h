/* SPDX-License-Identifier: GPL-2.0-only */
/* Pages of the region that cannot be read; epitaph_region_read() is in epitaph/earlier.h. */
#ifndef EPITAPH_CORE_BAD_PAGE_H
#define EPITAPH_CORE_BAD_PAGE_H

#include "memory.h"

/**
 * epitaph_bad_pages_find() - read each page once, in a way that survives bad memory
 * @mem: nothing has been read of it yet
 *
 * Return: 0, also if there are bad ones, which the log names; -EINVAL: of skip=; -ENOMEM.
 */
int epitaph_bad_pages_find(const struct epitaph_extent *mem);
void epitaph_bad_pages_forget(void);

/* Is this page named by skip=? Before epitaph_bad_pages_find(), which refuses what is no address. */
bool epitaph_page_is_skipped(phys_addr_t page);

/* Page @page of the region. */
bool epitaph_page_is_bad(u64 page);

/* Bit n: page n of the region cannot be read.  NULL: there is none. */
const u8 *epitaph_bad_pages(void);

#endif /* EPITAPH_CORE_BAD_PAGE_H */
