/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of btf.h share: the types as libbpf has them. */
#ifndef EPITAPH_LINUX_KERNEL_BTF_IMPL_H
#define EPITAPH_LINUX_KERNEL_BTF_IMPL_H

#include <bpf/btf.h>

#include "base/hash_index.h"
#include "btf.h"

#define BTF_MAX_DEPTH	16	/* of unnamed structs in each other, and of typedefs */
#define BTF_MAX_STEPS	(1U << 16)	/* members looked at in one search */

struct btf_enumerator;

/**
 * struct kernel_btf - the types of a kernel
 * @first: the number of its first type; those of a module follow the kernel's
 * @is_recorders: see kernel_btf_is_recorders()
 * @index: of types with a name
 * @enumerators: of all enums; NULL until the first look-up
 * @enumerator_index: their names, by index of @enumerators
 */
struct kernel_btf {
	struct btf *btf;
	u32 first;
	bool is_recorders;
	struct hash_index index;
	struct btf_enumerator *enumerators;
	struct hash_index enumerator_index;
};

static inline const struct btf_type *btf_type_at(const struct kernel_btf *kt, u32 id)
{
	return btf__type_by_id(kt->btf, id);
}

static inline const char *btf_name_at(const struct kernel_btf *kt, u32 off)
{
	const char *name = btf__name_by_offset(kt->btf, off);

	return name ? name : "";
}

static inline bool btf_is_alias(const struct btf_type *t)
{
	return btf_is_mod(t) || btf_is_typedef(t) || btf_is_type_tag(t);
}

/* The type behind typedefs, const and the like; NULL: there is none. */
static inline const struct btf_type *btf_resolve(const struct kernel_btf *kt, u32 id)
{
	const struct btf_type *t = btf_type_at(kt, id);

	for (u32 i = 0; t && btf_is_alias(t); i++)
		t = i < 2 * BTF_MAX_DEPTH ? btf_type_at(kt, t->type) : NULL;
	return t;
}

static inline u32 btf_type_size(const struct kernel_btf *kt, u32 id)
{
	s64 size = btf__resolve_size(kt->btf, id);

	return size > 0 && size < 0x7fffffff ? size : 0;
}

#endif
