/* SPDX-License-Identifier: GPL-2.0-only */
/* What differs between architectures for a recorder that is built in, before the first initcall. */
#ifndef EPITAPH_ARCH_EARLY_H
#define EPITAPH_ARCH_EARLY_H

#include <linux/types.h>

/**
 * epitaph_arch_map_early() - map memory that is no RAM of the kernel's, without vmalloc()
 * @at: its physical address
 * @bytes: its size
 *
 * Context: the kernel is dying, before the first initcall.
 * Return: NULL where this architecture cannot.
 */
void *epitaph_arch_map_early(phys_addr_t at, u64 bytes);

#endif /* EPITAPH_ARCH_EARLY_H */
