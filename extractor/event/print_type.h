/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The types that numbers of a print format have, and what C makes of two of them. */
#ifndef EPITAPH_EVENT_PRINT_TYPE_H
#define EPITAPH_EVENT_PRINT_TYPE_H

#include "format_lexer.h"

/* @size: 1, 2, 4 or 8 bytes; 0: it is none of a number, such as void */
struct print_type {
	u8 size;
	bool is_signed;
	bool is_bool;
};

/* What of @value a number of that type has, in 64 bits. */
static inline u64 print_type_fit(struct print_type type, u64 value)
{
	u32 unused = 64 - 8 * type.size;

	if (type.is_bool)
		return value != 0;
	return type.is_signed ? (u64)((s64)(value << unused) >> unused) : value << unused >> unused;
}

/* What an operator takes a number for: no operator works with less than an int. */
struct print_type print_type_promoted(struct print_type type);

/* What an operator takes two numbers for. */
struct print_type print_type_common(struct print_type a, struct print_type b);

/* Of a constant as it is written; false: it is none. */
bool print_type_constant(const struct token *token, u32 long_size, struct print_type *ret,
			 u64 *ret_value);

/**
 * print_type_read() - the type that stands from @token on, up to a closing parenthesis
 * @token: behind the type then, if there is one
 * @ret_pointer: of a pointer, what it points to is in @ret
 */
bool print_type_read(struct token *token, u32 long_size, struct print_type *ret, bool *ret_pointer);

#endif
