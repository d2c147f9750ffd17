/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What functions of the kernel that print formats call say of a number. */
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

#endif
