// SPDX-License-Identifier: GPL-2.0-only
/*
 * x86-64: the direct map gets what memmap= sets aside.  Its page tables come from memblock, or from
 * the page allocator once that is there.
 */
#include <linux/io.h>
#include <linux/mm.h>
#include <asm/pgtable.h>
#include "early.h"

void *epitaph_arch_map_early(phys_addr_t at, u64 bytes)
{
	init_memory_mapping(at, at + bytes, PAGE_KERNEL);
	return __va(at);
}
