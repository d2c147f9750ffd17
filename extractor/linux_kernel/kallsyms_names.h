/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The names in a kernel's table of symbols: each a type, as nm(1) prints it, and what it is
 * called, made of tokens that stand for what names have in common.
 */
#ifndef EPITAPH_LINUX_KERNEL_KALLSYMS_NAMES_H
#define EPITAPH_LINUX_KERNEL_KALLSYMS_NAMES_H

#include "base/hash_index.h"
#include "vmem.h"

#define KNAMES_TOKENS		256
#define KNAMES_TOKENS_MAX	4096	/* bytes of their table; the kernel's is about 900 */
#define KALLSYMS_NAME_LOST	UINT32_MAX	/* the place of a name that is not in the dump */

/**
 * struct kallsyms_names - all of them
 * @nr: how many; the caller's; 0: unknown
 * @bytes: @size of them: a length and as many tokens for each name
 * @at: where each begins
 * @tokens: the table as it is, and one that says where each begins
 * @token_is_lost: its text is not in the dump, and so no name that has it
 * @nr_lost: names that are not in the dump, or not all of them
 * @why: what is missing, if any is
 * @index: made by the first search
 */
struct kallsyms_names {
	u32 nr;
	u8 *bytes;
	u32 size;
	u32 *at;
	char tokens[KNAMES_TOKENS_MAX + 1];
	u16 token_at[KNAMES_TOKENS];
	bool token_is_lost[KNAMES_TOKENS];
	u32 nr_lost;
	char why[192];
	struct hash_index index;
};

/**
 * kallsyms_names_read() - of @names->nr symbols
 * @names: zeroed but for nr; kallsyms_names_free() is needed afterwards in any case
 * @table: address of the tokens
 * @token_at: of the table that says where each begins
 * @va: of the names
 *
 * Where pages are missing, names are lost: their count is 0 or unknown before.
 *
 * Return: 0; -ERR_CORRUPT: they are not there, or do not end; -ERR_IO without memory.
 */
int kallsyms_names_read(struct kallsyms_names *names, struct vmem *vmem, u64 table, u64 token_at,
			u64 va, struct err *err);

void kallsyms_names_free(struct kallsyms_names *names);

/* Return: an error that says what the table has not, and why, as far as @vmem knows. */
int kallsyms_names_lack(struct vmem *vmem, const char *what, struct err *err);

/*
 * kallsyms_names_expand() - name @i with its type in front, terminated, cut to @size
 *
 * Return: its length with the type; 0: it is none, or lost.
 */
u32 kallsyms_names_expand(const struct kallsyms_names *names, u32 i, char *buf, u32 size);

/* The first of that name; without memory for an index there is none. */
bool kallsyms_names_find(struct kallsyms_names *names, const char *name, u32 *ret);

/* How many have that name; 0 also without memory for an index. */
u32 kallsyms_names_count(struct kallsyms_names *names, const char *name);

#endif
