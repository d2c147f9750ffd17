// SPDX-License-Identifier: GPL-2.0-or-later
#include "btf_enum_index.h"

#ifndef EPITAPH_NO_BTF

#include <bpf/btf.h>
#include <stdlib.h>
#include <string.h>

static u32 nr_in(const struct btf *btf, u32 id)
{
	const struct btf_type *t = btf__type_by_id(btf, id);

	return btf_is_any_enum(t) ? btf_vlen(t) : 0;
}

static u32 count(const struct btf *btf)
{
	u32 nr = 0;

	for (u32 id = 1; id < btf__type_cnt(btf) && nr < ENUM_INDEX_MAX; id++)
		nr += nr_in(btf, id);
	return nr < ENUM_INDEX_MAX ? nr : ENUM_INDEX_MAX;
}

static void list_all(struct enum_index *index, const struct btf *btf, u32 nr)
{
	u32 n = 0;

	for (u32 id = 1; n < nr; id++)
		for (u32 i = 0; i < nr_in(btf, id) && n < nr; i++)
			index->list[n++] = (struct enumerator){ id, i };
}

static const char *name_of(const struct btf *btf, const struct enumerator *e)
{
	const struct btf_type *t = btf__type_by_id(btf, e->id);

	return btf__name_by_offset(btf, btf_is_enum64(t) ? btf_enum64(t)[e->i].name_off :
							   btf_enum(t)[e->i].name_off);
}

/* Backwards: of several with one name the first is found first. */
static void index_all(struct enum_index *index, const struct btf *btf, u32 nr, size_t longest)
{
	while (nr--) {
		const char *name = name_of(btf, &index->list[nr]);

		if (name && strnlen(name, longest) < longest)
			hash_index_add(&index->names, hash_name(name), nr);
	}
}

void enum_index_make(struct enum_index *index, const struct btf *btf, size_t longest)
{
	u32 nr = count(btf);

	index->list = calloc(nr ? nr : 1, sizeof(*index->list));
	if (!index->list)
		return;
	if (hash_index_make(&index->names, nr, NULL))
		return enum_index_free(index);
	list_all(index, btf, nr);
	index_all(index, btf, nr, longest);
}

void enum_index_free(struct enum_index *index)
{
	hash_index_free(&index->names);
	free(index->list);
	index->list = NULL;
}

#endif
