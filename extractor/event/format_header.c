// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_header.h"

#include <ctype.h>
#include <string.h>

#define MAX_LENGTH_TOKENS	16	/* between an array's brackets */

static bool take(struct token *token, const char *text)
{
	if (!token_is(token, text))
		return false;
	token_next(token);
	return true;
}

static bool take_newlines(struct token *token)
{
	if (token->kind != TOKEN_NEWLINE)
		return false;
	while (token->kind == TOKEN_NEWLINE)
		token_next(token);
	return true;
}

static bool take_number(struct token *token)
{
	u64 number;

	if (!token_number(token, &number))
		return false;
	token_next(token);
	return true;
}

/* "offset:8;" */
static bool take_value(struct token *token, const char *what)
{
	return take(token, what) && take(token, ":") && take_number(token) && take(token, ";");
}

/* "((user))" */
static bool take_attribute(struct token *token)
{
	if (!take(token, "(") || !take(token, "(") || token->kind != TOKEN_WORD)
		return false;
	token_next(token);
	return take(token, ")") && take(token, ")");
}

/* "[]", "[16]", "[LEN + 1]" */
static bool take_length(struct token *token)
{
	static const char * const signs[] = { "+", "-", "*", "/", "(", ")", "<<", ">>" };
	u32 n, i;

	token_next(token);
	for (n = 0; !token_is(token, "]"); n++) {
		for (i = 0; i < ARRAY_SIZE(signs) && !token_is(token, signs[i]); i++)
			;
		if (n == MAX_LENGTH_TOKENS || (token->kind != TOKEN_WORD && i == ARRAY_SIZE(signs)))
			return false;
		token_next(token);
	}
	token_next(token);
	return true;
}

/* A type and a name, which the length may stand between or behind: "char c[4]", "__data_loc char[] c". */
static bool take_declaration(struct token *token, struct token *name)
{
	u32 n;

	for (n = 0; token->kind == TOKEN_WORD || (n && token_is(token, "*")); n++) {
		*name = *token;
		token_next(token);
		if (token_is(name, "__attribute__") && (!n || !take_attribute(token)))
			return false;
	}
	if (n < 2)
		return false;
	if (token_is(token, "[") && !take_length(token))
		return false;
	if (token->kind == TOKEN_WORD) {
		*name = *token;
		token_next(token);
	}
	return isalpha((u8)*name->at) || *name->at == '_';
}

static bool take_field(struct token *token, struct token *name)
{
	if (!take(token, "field") || !take(token, ":") || !take_declaration(token, name) ||
	    !take(token, ";") || !take_value(token, "offset") || !take_value(token, "size"))
		return false;
	if (token_is(token, "signed") && !take_value(token, "signed"))
		return false;
	if (token->kind != TOKEN_NEWLINE)
		return false;
	token_next(token);
	return true;
}

/* Up to an empty line. */
static bool take_fields(struct format_fields *fields, struct token *token)
{
	while (token->kind != TOKEN_NEWLINE) {
		if (fields->nr == FORMAT_MAX_FIELDS || !take_field(token, &fields->names[fields->nr]))
			return false;
		fields->nr++;
	}
	token_next(token);
	return true;
}

static bool take_name(struct token *token)
{
	if (!take(token, "name") || !take(token, ":") || token->kind != TOKEN_WORD)
		return false;
	token_next(token);
	return take_newlines(token);
}

bool format_fields_read(struct format_fields *fields, const char *text, struct token *ret_print)
{
	struct token token = token_first(text);

	fields->nr = 0;
	if (!take_name(&token) || !take(&token, "ID") || !take(&token, ":") ||
	    !take_number(&token) || !take_newlines(&token) || !take(&token, "format") ||
	    !take(&token, ":") || token.kind != TOKEN_NEWLINE)
		return false;
	token_next(&token);
	if (!take_fields(fields, &token) || !take_fields(fields, &token))
		return false;
	take_newlines(&token);
	if (!take(&token, "print") || !take(&token, "fmt") || !take(&token, ":"))
		return false;
	*ret_print = token;
	return true;
}

bool format_fields_have(const struct format_fields *fields, const struct token *name)
{
	u32 i;

	for (i = 0; i < fields->nr; i++)
		if (fields->names[i].len == name->len &&
		    !memcmp(fields->names[i].at, name->at, name->len))
			return true;
	return false;
}
