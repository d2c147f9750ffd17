/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of kernel addresses, which the running kernel resolved for the recorder. */
#ifndef EPITAPH_RECORDING_SYMBOLS_H
#define EPITAPH_RECORDING_SYMBOLS_H

#include "event/formats.h"

#define SYMBOLS_MAX	16384

struct symbols;

#define SYMBOLS_CGROUP	0x4000000000000000ULL	/* plus the number of a cgroup */

/* Is @addr the number of a cgroup? Its name is the path of the cgroup. */
static inline bool symbol_is_cgroup(u64 addr)
{
	return addr >> 62 == 1;
}

/* @ret also resolves addresses for @formats, which it must outlive. symbols_free() accepts NULL. */
int symbols_read(struct symbols **ret, struct generation *generation, struct formats *formats,
		 struct err *err);
void symbols_free(struct symbols *symbols);

/* "function+0x1/0x2 [module]" as it was recorded, or NULL; terminated.  The last one it had. */
const char *symbols_name(const struct symbols *symbols, u64 addr);

u32 symbols_nr(const struct symbols *symbols);

/* Did another module lie, earlier or later, where the function of symbol @i lies? */
bool symbols_is_shared(const struct symbols *symbols, u32 i);

/* The name and address of symbol @i, sorted by address. */
const char *symbols_at(const struct symbols *symbols, u32 i, u64 *ret_addr);

#endif
