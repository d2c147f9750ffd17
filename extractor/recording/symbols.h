/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of kernel addresses, which the running kernel resolved for the recorder. */
#ifndef EPITAPH_RECORDING_SYMBOLS_H
#define EPITAPH_RECORDING_SYMBOLS_H

#include "event/formats.h"

#define SYMBOLS_MAX	16384

struct symbols;

#define SYMBOLS_CGROUP	0x4000000000000000ULL	/* plus the number of a cgroup */

#define SYMBOLS_DEVICE	0x5000000000000000ULL	/* plus the number of a disk or partition */

/* Is @addr no address, but a number of another kind that has a name? */
static inline bool symbol_is_number(u64 addr)
{
	return addr >> 62 == 1;
}

/* Is @addr the number of a cgroup? Its name is the path of the cgroup. */
static inline bool symbol_is_cgroup(u64 addr)
{
	return addr >> 60 == SYMBOLS_CGROUP >> 60;
}

/* Is @addr the number of a disk or a partition, dev_t as the kernel has it? Its name is "sda1". */
static inline bool symbol_is_device(u64 addr)
{
	return addr >> 60 == SYMBOLS_DEVICE >> 60;
}

/* @ret also resolves addresses for @formats, which it must outlive. symbols_free() accepts NULL. */
int symbols_read(struct symbols **ret, struct generation *generation, struct formats *formats,
		 struct err *err);
void symbols_free(struct symbols *symbols);

/* The name of @addr at the end of the recording, "function+0x1/0x2 [module]", or of a disk; false: not known. */
typedef bool symbols_more_fn(void *priv, u64 addr, char buf[PRINT_NAME_MAX]);

/* Asked for addresses that no recorded name tells of; NULL: nothing is. */
void symbols_use_more(struct symbols *symbols, symbols_more_fn *more, void *priv);

/* "function+0x1/0x2 [module]" as it was recorded, or NULL; terminated.  The last one it had. */
const char *symbols_name(const struct symbols *symbols, u64 addr);

/* The same at @raw, a time as events have it, also of other places in a function that has a name. */
bool symbols_name_at(const struct symbols *symbols, u64 addr, u64 raw, char buf[PRINT_NAME_MAX]);

/* The name of a disk or a partition at @raw, a time as events have it; false: not known. */
bool symbols_device(const struct symbols *symbols, u32 dev, u64 raw, char buf[PRINT_NAME_MAX]);

u32 symbols_nr(const struct symbols *symbols);

/* Did another module lie, earlier or later, where the function of symbol @i lies? */
bool symbols_is_shared(const struct symbols *symbols, u32 i);

/* The name and address of symbol @i, sorted by address. */
const char *symbols_at(const struct symbols *symbols, u32 i, u64 *ret_addr);

#endif
