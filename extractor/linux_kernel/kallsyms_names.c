// SPDX-License-Identifier: GPL-2.0-or-later
#include "kallsyms_names.h"

#include <stdlib.h>

#include "base/byte_reader.h"
#include "kallsyms.h"

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

u32 kallsyms_names_expand(const struct kallsyms_names *names, u32 i, char *buf, u32 size)
{
	u32 at = names->at[i], len = take_name_length(names, &at), out = 0;

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

		hash_index_add(&names->index, hash_name(len ? name + 1 : name), i);
	}
	return ret;
}

/* Compare without expanding the name: of names with one hash, most differ at once. */
static bool name_is(const struct kallsyms_names *names, u32 i, const char *name)
{
	u32 at = names->at[i], len = take_name_length(names, &at);
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

int kallsyms_names_lack(struct vmem *vmem, const char *what, struct err *err)
{
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "the kernel's symbol table lacks its %s: %s",
		       what, vmem_why(vmem));
}

static int read_tokens(struct kallsyms_names *names, struct vmem *vmem, u64 table, u64 token_at,
		       struct err *err)
{
	u8 raw[2 * KNAMES_TOKENS];
	struct bytes b = bytes_of(raw, sizeof(raw), dump_byte_order(vmem_input(vmem)));

	if (vmem_read(vmem, table, names->tokens, KNAMES_TOKENS_MAX) < 1)
		return kallsyms_names_lack(vmem, "tokens", err);
	if (!vmem_get(vmem, token_at, raw, sizeof(raw)))
		return kallsyms_names_lack(vmem, "token index", err);
	for (u32 i = 0; i < KNAMES_TOKENS; i++) {
		names->token_at[i] = bytes_u16(&b, 2 * i);
		if (names->token_at[i] > KNAMES_TOKENS_MAX)
			names->token_at[i] = KNAMES_TOKENS_MAX;
	}
	return 0;
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

int kallsyms_names_read(struct kallsyms_names *names, struct vmem *vmem, u64 table, u64 token_at,
			u64 va, struct err *err)
{
	int ret = read_tokens(names, vmem, table, token_at, err);

	return ret ? ret : read_bytes(names, vmem, va, err);
}

void kallsyms_names_free(struct kallsyms_names *names)
{
	hash_index_free(&names->index);
	free(names->bytes);
	free(names->at);
}
