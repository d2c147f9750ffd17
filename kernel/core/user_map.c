// SPDX-License-Identifier: GPL-2.0-only
#include <linux/mm.h>
#include "recorder.h"
#include "user_map.h"

/*
 * memmap= is registered as System RAM.  vmf_insert_pfn() takes the kind of caching of that from
 * struct page, which a section of memory that is all reserved has not.  Memory of a device is none.
 */
static bool has_pages(phys_addr_t phys, u64 size)
{
	u64 done;

	for (done = 0; done < size; done += PAGE_SIZE)
		if (!pfn_valid((phys + done) >> PAGE_SHIFT))
			return false;
	return true;
}

bool epitaph_can_be_mapped(phys_addr_t phys, u64 size)
{
	if (PAGE_SIZE > EPITAPH_PAGE)
		return false;
	return epitaph_region_kind() == EPITAPH_MEMORY_DEVICE || has_pages(phys, size);
}
