/* SPDX-License-Identifier: GPL-2.0-only */
/* Which memory of the region processes can map. */
#ifndef EPITAPH_CORE_USER_MAP_H
#define EPITAPH_CORE_USER_MAP_H

#include <linux/types.h>

/* @size bytes at @phys, of the generation that is recorded into. */
bool epitaph_can_be_mapped(phys_addr_t phys, u64 size);

#endif /* EPITAPH_CORE_USER_MAP_H */
