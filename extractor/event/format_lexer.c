// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_lexer.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_word(char c)
{
	return isalnum((u8)c) || c == '_';
}

/* The library replaces these by strings of its own. */
static bool is_replaced(const struct token *token)
{
	return token_is(token, "LOCAL_PR_FMT") || token_is(token, "STA_PR_FMT") ||
	       token_is(token, "VIF_PR_FMT");
}

/* A quote behind a backslash closes nothing, not even behind two. */
static void take_string(struct token *token)
{
	const char *p = token->at + 1;

	while ((isprint((u8)*p) || *p == '\n' || *p == '\t') && (*p != *token->at || p[-1] == '\\'))
		p++;
	token->kind = *p == *token->at ? TOKEN_STRING : TOKEN_BROKEN;
	token->len = p + (*p != 0) - token->at;
}

static u32 sign_len(const char *p)
{
	u32 len = 1;

	if (p[0] == '-' && p[1] == '>')
		return 2;
	if (strchr("-+|&<>", p[0]) && p[1] == p[0]) {
		if (!strchr("<>", p[0]))
			return 2;
		len = 2;
	}
	return len + (strchr("-+|&<>!=", p[0]) && p[len] == '=');
}

static void take_char(struct token *token)
{
	const char *p = token->at;

	token->len = 1;
	if (!*p) {
		token->kind = TOKEN_END;
		token->len = 0;
	} else if (*p == '\n') {
		token->kind = TOKEN_NEWLINE;
	} else if (*p == '"' || *p == '\'') {
		take_string(token);
	} else if (is_word(*p)) {
		while (is_word(p[token->len]))
			token->len++;
		token->kind = is_replaced(token) ? TOKEN_BROKEN : TOKEN_WORD;
	} else {
		token->kind = isprint((u8)*p) ? TOKEN_SIGN : TOKEN_BROKEN;
		token->len = sign_len(p);
	}
}

void token_next(struct token *token)
{
	token->at += token->len;
	token->at += strspn(token->at, " \t");
	take_char(token);
}

struct token token_first(const char *text)
{
	struct token token = { .at = text };

	token_next(&token);
	return token;
}

bool token_is(const struct token *token, const char *text)
{
	return strlen(text) == token->len && !memcmp(token->at, text, token->len);
}

bool token_number(const struct token *token, u64 *ret)
{
	char *end;

	if (token->kind != TOKEN_WORD || !isdigit((u8)*token->at))
		return false;
	*ret = strtoull(token->at, &end, 0);
	end += strspn(end, "uUlL");
	return end == token->at + token->len;
}

bool token_text_is_whole(const char *text)
{
	struct token token = token_first(text);
	char open[TOKEN_MAX_DEPTH];
	u32 depth = 0;

	for (; token.kind != TOKEN_END; token_next(&token)) {
		if (token.kind == TOKEN_BROKEN)
			return false;
		if (token.kind != TOKEN_SIGN)
			continue;
		if (strchr("([{", *token.at)) {
			if (depth == TOKEN_MAX_DEPTH)
				return false;
			open[depth++] = *token.at == '(' ? ')' : *token.at + 2;
		} else if (strchr(")]}", *token.at) && (!depth || open[--depth] != *token.at)) {
			return false;
		}
	}
	return !depth;
}
