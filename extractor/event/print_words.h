/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of the kernel in print formats: functions that make a word of a number, and enumerators. */
#ifndef EPITAPH_EVENT_PRINT_WORDS_H
#define EPITAPH_EVENT_PRINT_WORDS_H

#include "format_lexer.h"

/**
 * struct print_words - of one function
 * @words: nr of them, by number
 * @other: of a number that is larger
 */
struct print_words {
	const char *function;
	const char *const *words;
	u32 nr;
	const char *other;
};

/* NULL: not one that is known here. */
const struct print_words *print_words_of(const struct token *function);

/* The value that the enumerator @name has in all kernels; false: not one of these. */
bool print_enum_value(const struct token *name, u64 *ret);

#endif
