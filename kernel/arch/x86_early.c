// SPDX-License-Identifier: GPL-2.0-only
/* x86-64: what memmap= sets aside goes into the direct map, which takes pages from whoever has them. */
#include <linux/io.h>
#include <linux/mm.h>
#include <asm/pgtable.h>
#include "early.h"

void *epitaph_arch_map_early(phys_addr_t at, u64 bytes)
{
	init_memory_mapping(at, at + bytes, PAGE_KERNEL);
	return __va(at);
}
