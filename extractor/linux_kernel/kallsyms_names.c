// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_reader.h"
#include "holed_bytes.h"
#include "kallsyms.h"
#include "kallsyms_salvage.h"

#define NAMES_STEP	(256U << 10)	/* bytes of names that are read at once */
#define NAMES_MAX	(32U << 20)

/* Number of tokens of the name at @at, which moves to the first token; 0: it does not fit. */
static u32 take_name_length(const struct kallsyms_names *names, u32 *at)
{
	u32 left = names->size - *at, len;

	if (!left)
		return 0;
	len = names->bytes[(*at)++];
	if (len & 0x80) {
		if (left < 2)
			return 0;
		len = (len & 0x7f) | (u32)names->bytes[(*at)++] << 7;
	}
	return len <= names->size - *at ? len : 0;
}

/* Number of tokens of name @i, from *@at on; 0: one of them is lost, or all. */
static u32 name_tokens(const struct kallsyms_names *names, u32 i, u32 *at)
{
	u32 len, k;

	*at = names->at[i];
	if (*at == KALLSYMS_NAME_LOST)
		return 0;
	len = take_name_length(names, at);
	for (k = 0; k < len; k++)
		if (names->token_is_lost[names->bytes[*at + k]])
			return 0;
	return len;
}

u32 kallsyms_names_expand(const struct kallsyms_names *names, u32 i, char *buf, u32 size)
{
	u32 at, len = name_tokens(names, i, &at), out = 0;

	while (len--) {
		const char *token = &names->tokens[names->token_at[names->bytes[at++]]];

		while (*token && out < size - 1)
			buf[out++] = *token++;
	}
	buf[out] = '\0';
	return out;
}

static int index_names(struct kallsyms_names *names)
{
	int ret = hash_index_make(&names->index, names->nr, NULL);

	for (u32 i = names->nr; i-- && !ret; ) {
		char name[KALLSYMS_NAME_MAX + 1];
		u32 len = kallsyms_names_expand(names, i, name, sizeof(name));

		if (len)
			hash_index_add(&names->index, hash_name(name + 1), i);
	}
	return ret;
}

/* Compare without expanding the name: of names with one hash, most differ at once. */
static bool name_is(const struct kallsyms_names *names, u32 i, const char *name)
{
	u32 at, len = name_tokens(names, i, &at);
	bool is_type = true;

	for (; len--; at++) {
		const char *token = &names->tokens[names->token_at[names->bytes[at]]];

		for (; *token; token++) {
			if (!is_type && *token != *name++)
				return false;
			is_type = false;
		}
	}
	return !is_type && !*name;
}

bool kallsyms_names_find(struct kallsyms_names *names, const char *name, u32 *ret)
{
	u32 i, steps;

	if (!names->index.heads && index_names(names))
		return false;
	hash_index_each(&names->index, hash_name(name), i, steps) {
		if (name_is(names, i, name)) {
			*ret = i;
			return true;
		}
	}
	return false;
}

u32 kallsyms_names_count(struct kallsyms_names *names, const char *name)
{
	u32 i, steps, nr = 0;

	if (!names->index.heads && index_names(names))
		return 0;
	hash_index_each(&names->index, hash_name(name), i, steps)
		nr += name_is(names, i, name);
	return nr;
}

int kallsyms_names_lack(struct vmem *vmem, const char *what, struct err *err)
{
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel's symbol table lacks its %s: %s",
		       what, vmem_why(vmem));
}

/* Each token begins behind the end of the one before. */
static void count_tokens(struct kallsyms_names *names, const struct holed_bytes *table)
{
	u32 i, at = 0;

	for (i = 0; i < KNAMES_TOKENS; i++) {
		names->token_at[i] = at < KNAMES_TOKENS_MAX ? at : KNAMES_TOKENS_MAX;
		at += strlen(names->tokens + names->token_at[i]) + 1;
		if (at <= KNAMES_TOKENS_MAX && holed_bytes_has(table, 0, at))
			continue;
		for (; i < KNAMES_TOKENS; i++)
			names->token_is_lost[i] = true;
	}
}

static void take_token_index(struct kallsyms_names *names, const struct holed_bytes *table,
			     const struct holed_bytes *index, enum byte_order order)
{
	struct bytes b = bytes_of(index->data, index->size, order);
	u32 i, at;

	for (i = 0; i < KNAMES_TOKENS; i++) {
		at = bytes_u16(&b, 2 * i);
		if (at > KNAMES_TOKENS_MAX)
			at = KNAMES_TOKENS_MAX;
		names->token_at[i] = at;
		names->token_is_lost[i] =
			!holed_bytes_has(table, at, strlen(names->tokens + at) + 1);
	}
}

static void take_tokens(struct kallsyms_names *names, const struct holed_bytes *table,
			const struct holed_bytes *index, enum byte_order order)
{
	u32 i;

	memcpy(names->tokens, table->data, KNAMES_TOKENS_MAX);
	if (holed_bytes_has(index, 0, index->size))
		take_token_index(names, table, index, order);
	else
		count_tokens(names, table);
	for (i = 0; i < KNAMES_TOKENS; i++)
		if (names->token_is_lost[i])
			snprintf(names->why, sizeof(names->why), "%s",
				 table->nr_holes ? table->why : index->why);
}

static int read_tokens(struct kallsyms_names *names, struct vmem *vmem, u64 table, u64 token_at,
		       struct err *err)
{
	struct holed_bytes text = { 0 }, index = { 0 };
	int ret = holed_bytes_read(&text, vmem, table, KNAMES_TOKENS_MAX, err);

	if (!ret)
		ret = holed_bytes_read(&index, vmem, token_at, 2 * KNAMES_TOKENS, err);
	if (!ret)
		take_tokens(names, &text, &index, dump_byte_order(vmem_input(vmem)));
	holed_bytes_free(&text);
	holed_bytes_free(&index);
	return ret;
}

/* Find where each name begins. Return: false if there are not enough bytes for all names */
static bool split_names(struct kallsyms_names *names, u32 *done, u32 *at)
{
	while (*done < names->nr) {
		u32 next = *at, len = take_name_length(names, &next);

		if (!len)
			return false;
		names->at[(*done)++] = *at;
		*at = next + len;
	}
	return true;
}

/* The size of all names is stored nowhere: read on until there are enough bytes. */
static int read_bytes(struct kallsyms_names *names, struct vmem *vmem, u64 va, struct err *err)
{
	u32 done = 0, at = 0;

	names->at = calloc(names->nr, sizeof(*names->at));
	while (names->at && names->size < NAMES_MAX) {
		u8 *more = realloc(names->bytes, names->size + NAMES_STEP);
		ssize_t n;

		if (!more)
			break;
		names->bytes = more;
		n = vmem_read(vmem, va + names->size, more + names->size, NAMES_STEP);
		names->size += n;
		if (split_names(names, &done, &at))
			return 0;
		if (n < (ssize_t)NAMES_STEP)
			return kallsyms_names_lack(vmem, "names", err);
	}
	if (names->size >= NAMES_MAX)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "the names of the kernel's symbols do not end: %u of %u in %u bytes",
			       done, names->nr, names->size);
	return err_sys(err, "memory for the names of %u symbols", names->nr);
}

static void count_lost(struct kallsyms_names *names)
{
	u32 i, at;

	for (i = 0; i < names->nr; i++)
		names->nr_lost += !name_tokens(names, i, &at);
}

int kallsyms_names_read(struct kallsyms_names *names, struct vmem *vmem, u64 table, u64 token_at,
			u64 va, struct err *err)
{
	int ret = read_tokens(names, vmem, table, token_at, err);

	if (ret)
		return ret;
	ret = names->nr ? read_bytes(names, vmem, va, err) :
	      err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel's number of symbols is not known");
	/* The linker puts the tokens behind the names. */
	if (ret == -ERR_CORRUPT && table > va && table - va < NAMES_MAX)
		ret = kallsyms_names_salvage(names, vmem, va, table, err);
	if (!ret)
		count_lost(names);
	return ret;
}

void kallsyms_names_free(struct kallsyms_names *names)
{
	hash_index_free(&names->index);
	free(names->bytes);
	free(names->at);
}
