/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a 64-bit kernel has its addresses: from 0xffff800000000000 on on x86-64, with five levels of page tables from
 * 0xff00000000000000 on (Documentation/arch/x86/x86_64/mm.rst); on arm64 from 0xffff000000000000 on, with 52 bits from
 * 0xfff0000000000000 on (Documentation/arch/arm64/memory.rst).
 */
#ifndef EPITAPH_BASE_KERNEL_HALF_H
#define EPITAPH_BASE_KERNEL_HALF_H

#include "types.h"

/* May @value be an address of any such kernel? Small negative numbers look the same. */
static inline bool in_kernel_half(u64 value)
{
	return value >= 0xff00000000000000ULL;
}

#endif
