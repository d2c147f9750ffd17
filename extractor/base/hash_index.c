// SPDX-License-Identifier: GPL-2.0-or-later
#include "hash_index.h"

#include <stdlib.h>

u32 hash_name(const char *name)
{
	u32 hash = NAME_HASH;

	for (; *name; name++)
		hash = hash_name_add(hash, *name);
	return hash;
}

int hash_index_make(struct hash_index *index, u32 nr, struct err *err)
{
	u32 bits = 4;

	while (bits < 28 && 1U << bits < nr)
		bits++;
	index->bits = bits;
	index->heads = calloc(1U << bits, sizeof(*index->heads));
	index->next = calloc((size_t)nr + 1, sizeof(*index->next));
	if (index->heads && index->next)
		return 0;
	hash_index_free(index);
	return err_sys(err, "memory for an index of %u names", nr);
}

static u32 *chain_head(const struct hash_index *index, u32 hash)
{
	return &index->heads[hash * 2654435769U >> (32 - index->bits)];
}

void hash_index_add(struct hash_index *index, u32 hash, u32 number)
{
	u32 *head = chain_head(index, hash);

	index->next[number] = *head;
	*head = number + 1;
}

u32 hash_index_first(const struct hash_index *index, u32 hash)
{
	return index->heads ? *chain_head(index, hash) - 1 : NAME_NONE;
}

void hash_index_free(struct hash_index *index)
{
	free(index->heads);
	free(index->next);
	*index = (struct hash_index){ 0 };
}
