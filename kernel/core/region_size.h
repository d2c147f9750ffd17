/* SPDX-License-Identifier: GPL-2.0-only */
/* How large a region must be: docs/sizes.md. */
#ifndef EPITAPH_CORE_REGION_SIZE_H
#define EPITAPH_CORE_REGION_SIZE_H

#include <linux/types.h>

/**
 * epitaph_region_size_for() - of a region in which each ring of main has that size
 * @ring_size: bytes
 *
 * With as many generations, CPUs and bytes of the pool as now.
 *
 * Context: process, with a region.
 * Return: bytes, a multiple of 64 KiB; 0: there is none.
 */
u64 epitaph_region_size_for(u64 ring_size);

#endif /* EPITAPH_CORE_REGION_SIZE_H */
