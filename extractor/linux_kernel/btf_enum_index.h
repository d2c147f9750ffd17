/* SPDX-License-Identifier: GPL-2.0-or-later */
/* From the name of an enumerator to its place, of all enums of a BTF.  Only for ktypes.c. */
#ifndef EPITAPH_LINUX_KERNEL_BTF_ENUM_INDEX_H
#define EPITAPH_LINUX_KERNEL_BTF_ENUM_INDEX_H

#include "base/hash_index.h"

#define ENUM_INDEX_MAX	(1U << 20)	/* enumerators, the first ones; Debian's kernels have 30 000 */

struct btf;

/* Number @i of the enum that is type @id. */
struct enumerator {
	u32 id;
	u32 i;
};

/**
 * struct enum_index - all zero is empty
 * @list: of all, by the numbers that @names has
 */
struct enum_index {
	struct hash_index names;
	struct enumerator *list;
};

/* Without memory it stays empty.  Names of @longest bytes and more are left out. */
void enum_index_make(struct enum_index *index, const struct btf *btf, size_t longest);

void enum_index_free(struct enum_index *index);

#endif
