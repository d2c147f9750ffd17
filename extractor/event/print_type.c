// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_type.h"

#include <ctype.h>
#include <string.h>

#define LONG_SIZE	0	/* in the table: as large as a long */

static const struct {
	const char *name;
	u8 size;
	bool is_signed;
} typedefs[] = {
	{ "u8", 1, false }, { "__u8", 1, false }, { "uint8_t", 1, false },
	{ "s8", 1, true }, { "__s8", 1, true }, { "int8_t", 1, true },
	{ "u16", 2, false }, { "__u16", 2, false }, { "uint16_t", 2, false },
	{ "__le16", 2, false }, { "__be16", 2, false }, { "umode_t", 2, false },
	{ "s16", 2, true }, { "__s16", 2, true }, { "int16_t", 2, true },
	{ "u32", 4, false }, { "__u32", 4, false }, { "uint32_t", 4, false },
	{ "__le32", 4, false }, { "__be32", 4, false }, { "uint", 4, false },
	{ "gfp_t", 4, false }, { "fmode_t", 4, false }, { "blk_opf_t", 4, false },
	{ "dev_t", 4, false }, { "uid_t", 4, false }, { "gid_t", 4, false },
	{ "qid_t", 4, false }, { "projid_t", 4, false }, { "slab_flags_t", 4, false },
	{ "OM_uint32", 4, false }, { "vm_fault_t", 4, false },
	{ "s32", 4, true }, { "__s32", 4, true }, { "int32_t", 4, true }, { "pid_t", 4, true },
	{ "__kernel_rwf_t", 4, true },
	{ "u64", 8, false }, { "__u64", 8, false }, { "uint64_t", 8, false },
	{ "__le64", 8, false }, { "__be64", 8, false }, { "sector_t", 8, false },
	{ "blkcnt_t", 8, false }, { "dma_addr_t", 8, false }, { "phys_addr_t", 8, false },
	{ "resource_size_t", 8, false },
	{ "s64", 8, true }, { "__s64", 8, true }, { "int64_t", 8, true }, { "loff_t", 8, true },
	{ "ktime_t", 8, true }, { "time64_t", 8, true },
	{ "size_t", LONG_SIZE, false }, { "uintptr_t", LONG_SIZE, false },
	{ "ino_t", LONG_SIZE, false }, { "pgoff_t", LONG_SIZE, false },
	{ "vm_flags_t", LONG_SIZE, false },
	{ "ssize_t", LONG_SIZE, true }, { "ptrdiff_t", LONG_SIZE, true },
};

struct print_type print_type_promoted(struct print_type type)
{
	return type.size < 4 ? (struct print_type){ .size = 4, .is_signed = true } : type;
}

struct print_type print_type_common(struct print_type a, struct print_type b)
{
	a = print_type_promoted(a);
	b = print_type_promoted(b);
	if (a.size != b.size)
		return a.size > b.size ? a : b;
	return a.is_signed ? b : a;
}

/* The first that holds it of int, long and long long, and of those without a sign. */
bool print_type_constant(const struct token *token, u32 long_size, struct print_type *ret,
			 u64 *ret_value)
{
	bool is_unsigned = false, is_decimal;
	u32 longs = 0, i;
	u64 value;

	if (!token_number(token, &value))
		return false;
	for (i = token->len; i && strchr("uUlL", token->at[i - 1]); i--) {
		is_unsigned |= tolower((u8)token->at[i - 1]) == 'u';
		longs += tolower((u8)token->at[i - 1]) == 'l';
	}
	is_decimal = *token->at != '0';
	ret->is_bool = false;
	ret->size = longs > 1 ? 8 : longs ? long_size : 4;
	if (value > (is_unsigned || !is_decimal ? UINT32_MAX : INT32_MAX))
		ret->size = 8;
	ret->is_signed = !is_unsigned && value <= (ret->size == 4 ? INT32_MAX : INT64_MAX);
	*ret_value = value;
	return true;
}

static bool typedef_of(const struct token *token, u32 long_size, struct print_type *ret)
{
	u32 i;

	for (i = 0; i < ARRAY_SIZE(typedefs); i++) {
		if (!token_is(token, typedefs[i].name))
			continue;
		ret->size = typedefs[i].size == LONG_SIZE ? long_size : typedefs[i].size;
		ret->is_signed = typedefs[i].is_signed;
		return true;
	}
	return false;
}

/* The words of a type that C has itself: how often each is there. */
struct words {
	u32 nr_signed, nr_unsigned, nr_char, nr_short, nr_int, nr_long, nr_void, nr_bool;
};

static bool count_word(struct words *words, const struct token *token)
{
	struct {
		const char *word;
		u32 *nr;
	} known[] = {
		{ "signed", &words->nr_signed }, { "unsigned", &words->nr_unsigned },
		{ "char", &words->nr_char }, { "short", &words->nr_short },
		{ "int", &words->nr_int }, { "long", &words->nr_long },
		{ "void", &words->nr_void }, { "bool", &words->nr_bool },
		{ "_Bool", &words->nr_bool },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(known); i++)
		if (token_is(token, known[i].word))
			return ++*known[i].nr;
	return false;
}

static struct print_type type_of_words(const struct words *words, u32 long_size)
{
	struct print_type type = { .size = 4, .is_signed = !words->nr_unsigned };

	if (words->nr_void)
		type.size = 0;
	else if (words->nr_bool)
		type = (struct print_type){ .size = 1, .is_bool = true };
	else if (words->nr_char)
		type.size = 1;
	else if (words->nr_short)
		type.size = 2;
	else if (words->nr_long)
		type.size = words->nr_long > 1 ? 8 : long_size;
	return type;
}

static bool read_base(struct token *token, u32 long_size, struct print_type *ret)
{
	struct words words = { 0 };
	bool any = false;

	while (token_is(token, "const") || token_is(token, "volatile"))
		token_next(token);
	if (token_is(token, "struct") || token_is(token, "union") || token_is(token, "enum")) {
		ret->size = token_is(token, "enum") ? 4 : 0;
		token_next(token);
		any = token->kind == TOKEN_WORD;
		token_next(token);
		return any;
	}
	if (typedef_of(token, long_size, ret)) {
		token_next(token);
		return true;
	}
	for (; token->kind == TOKEN_WORD && count_word(&words, token); any = true)
		token_next(token);
	*ret = type_of_words(&words, long_size);
	return any;
}

bool print_type_read(struct token *token, u32 long_size, struct print_type *ret, bool *ret_pointer)
{
	struct token at = *token;

	*ret = (struct print_type){ 0 };
	*ret_pointer = false;
	if (!read_base(&at, long_size, ret))
		return false;
	for (; token_is(&at, "const") || token_is(&at, "*"); token_next(&at)) {
		if (*ret_pointer && token_is(&at, "*"))
			*ret = (struct print_type){ .size = long_size };
		*ret_pointer |= token_is(&at, "*");
	}
	if (!token_is(&at, ")") || (!*ret_pointer && !ret->size))
		return false;
	*token = at;
	return true;
}
