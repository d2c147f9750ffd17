/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The words and signs of an event's format text, cut where libtraceevent cuts them.
 */
#ifndef EPITAPH_EVENT_FORMAT_LEXER_H
#define EPITAPH_EVENT_FORMAT_LEXER_H

#include "base/types.h"

#define TOKEN_MAX_DEPTH	32

enum token_kind {
	TOKEN_END,
	TOKEN_NEWLINE,
	TOKEN_WORD,	/* letters, digits and underscores; numbers too */
	TOKEN_STRING,	/* with its quotes, double or single */
	TOKEN_SIGN,
	TOKEN_BROKEN,	/* no kernel writes this */
};

/* @at: in the text, @len bytes */
struct token {
	enum token_kind kind;
	const char *at;
	u32 len;
};

/* Steps to what stands at the end of @token, spaces left out. */
void token_next(struct token *token);

/* The first of @text, which is terminated. */
struct token token_first(const char *text);

/* Is it the word or the sign @text? */
bool token_is(const struct token *token, const char *text);

/* Its number as C writes it; false: it is none. */
bool token_number(const struct token *token, u64 *ret);

/* ASCII, every string closed, and every bracket by its own, no deeper than TOKEN_MAX_DEPTH? */
bool token_text_is_whole(const char *text);

#endif
