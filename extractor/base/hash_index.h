/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A hash table from names to the numbers that have them, for many names that are looked up often. */
#ifndef EPITAPH_BASE_HASH_INDEX_H
#define EPITAPH_BASE_HASH_INDEX_H

#include "err.h"

/**
 * struct hash_index - chains of numbers whose names have the same hash; all zero is empty
 * @heads: the first number plus 1, or 0, of each of 2^@bits chains
 * @next: of each number, the next one plus 1, or 0
 */
struct hash_index {
	u32 *heads;
	u32 *next;
	u32 bits;
};

/* The hash of a name, character by character; begin with NAME_HASH. */
#define NAME_HASH	2166136261U

static inline u32 hash_name_add(u32 hash, u8 c)
{
	return (hash ^ c) * 16777619U;
}

u32 hash_name(const char *name);

/* Room for the numbers below @nr. Return: 0, or -ERR_IO. */
int hash_index_make(struct hash_index *index, u32 nr, struct err *err);

/* Add each number at most once. The number that is added last is found first. */
void hash_index_add(struct hash_index *index, u32 hash, u32 number);

/**
 * hash_index_each() - the numbers that were added with @hash, and maybe others
 *
 * The caller compares the names. A chain of NAME_INDEX_STEPS numbers ends early: only a hostile
 * file makes chains so long.
 */
#define hash_index_each(index, hash, number, steps)					\
	for ((steps) = 0, (number) = hash_index_first((index), (hash));			\
	     (number) != NAME_NONE && (steps) < NAME_INDEX_STEPS;			\
	     (steps)++, (number) = (index)->next[(number)] - 1)

#define NAME_NONE		0xffffffffU
#define NAME_INDEX_STEPS	10000

u32 hash_index_first(const struct hash_index *index, u32 hash);

void hash_index_free(struct hash_index *index);

#endif
