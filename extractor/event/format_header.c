// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_header.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "region/subbuf.h"

#define MAX_TEXT		(256U << 10)	/* a probe's arrays name each element */
#define MAX_FIELDS		256
#define MAX_COMMON		64
#define MAX_LENGTH_TOKENS	16	/* between an array's brackets */
#define MAX_PLACES		64	/* texts of an array, as the kernel allows */
#define PLACE_SIZE		4	/* of a dynamic field */
#define MAX_END			(16384 + FORMATS_COMMON)	/* of a field, in an event */

/*
 * One declaration as it is read.
 * @name: in the text
 * @length: of an array, the number of its elements; 0: not declared
 * @places: of an array of texts, how many there are; 0: it is none
 * @unit: bytes of the numbers that its type has; 0: a type that is not known
 */
struct declaration {
	struct layout_field field;
	struct token name;
	u32 length;
	u32 places;
	u32 unit;
	bool has_char;
	bool has_dev_t;
	bool has_unsigned;
};

static bool take_token(struct token *token, const char *text)
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

static bool take_number(struct token *token, u32 *ret)
{
	u64 number;

	if (!token_number(token, &number))
		return false;
	*ret = number < UINT32_MAX ? number : UINT32_MAX;
	token_next(token);
	return true;
}

/* "offset:8;" */
static bool take_value(struct token *token, const char *what, u32 *ret)
{
	return take_token(token, what) && take_token(token, ":") && take_number(token, ret) && take_token(token, ";");
}

/* "[]", "[16]", "[LEN + 1]": the last number counts. */
static bool take_length(struct token *token, u32 *ret)
{
	static const char * const signs[] = { "+", "-", "*", "/", "(", ")", "<<", ">>" };
	u64 number;
	u32 n, i;

	token_next(token);
	for (n = 0; !token_is(token, "]"); n++) {
		for (i = 0; i < ARRAY_SIZE(signs) && !token_is(token, signs[i]); i++)
			;
		if (n == MAX_LENGTH_TOKENS || (token->kind != TOKEN_WORD && i == ARRAY_SIZE(signs)))
			return false;
		if (token->kind == TOKEN_WORD)
			*ret = token_number(token, &number) && number <= MAX_END ? number : 0;
		token_next(token);
	}
	token_next(token);
	return true;
}

static bool token_has(const struct token *token, const char *text)
{
	return memmem(token->at, token->len, text, strlen(text));
}

/* Bytes of a number of the type that ends in this word; 0: it does not say. */
static u32 unit_of(const struct token *token, u32 long_size)
{
	static const struct {
		const char *word;
		u32 size;
	} words[] = {
		{ "char", 1 }, { "8", 1 }, { "bool", 1 }, { "short", 2 }, { "16", 2 }, { "32", 4 },
		{ "int", 4 }, { "64", 8 }, { "pid_t", 4 },
	};
	u32 i;

	/* A probe calls an address so that it prints as a symbol. */
	if (token_is(token, "long") || token_is(token, "size_t") || token_is(token, "symbol"))
		return long_size;
	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (token_has(token, words[i].word))
			return words[i].size;
	return 0;
}

static void take_type_word(struct declaration *d, const struct token *word, u32 long_size)
{
	bool was_long = d->field.is_long;
	u32 unit = unit_of(word, long_size);

	d->field.is_dynamic |= token_is(word, "__data_loc") || token_is(word, "__rel_loc");
	d->field.is_relative |= token_is(word, "__rel_loc");
	d->field.is_long |= token_has(word, "long");
	d->has_char |= token_has(word, "char");
	d->has_dev_t |= token_is(word, "dev_t");
	d->has_unsigned |= token_has(word, "unsigned");
	if (was_long && token_is(word, "long"))
		d->unit = 8;
	else if (unit && !(was_long && token_is(word, "int")))
		d->unit = unit;
}

/*
 * A type and a name; the length is between the two or behind: "char c[4]", "__data_loc char[] c".
 * "__data_loc char[][2] c" are two texts, each with its place.
 */
static bool take_declaration(struct token *token, struct declaration *d, u32 long_size)
{
	u32 n;

	for (n = 0; token->kind == TOKEN_WORD || (n && token_is(token, "*")); n++) {
		if (n && d->name.kind == TOKEN_WORD)
			take_type_word(d, &d->name, long_size);
		d->name = *token;
		d->field.is_pointer |= token_is(token, "*");
		token_next(token);
		if (!token_is(&d->name, "__attribute__"))
			continue;
		/* "((user))" */
		if (!n || !take_token(token, "(") || !take_token(token, "(") ||
		    token->kind != TOKEN_WORD)
			return false;
		token_next(token);
		if (!take_token(token, ")") || !take_token(token, ")"))
			return false;
	}
	if (n < 2)
		return false;
	if (token_is(token, "[")) {
		d->field.is_array = true;
		if (!take_length(token, &d->length))
			return false;
		if (d->field.is_dynamic && token_is(token, "[") && !take_length(token, &d->places))
			return false;
	}
	if (token->kind == TOKEN_WORD) {
		take_type_word(d, &d->name, long_size);
		d->name = *token;
		token_next(token);
	}
	return isalpha((u8)*d->name.at) || *d->name.at == '_';
}

static bool take_field(struct token *token, struct declaration *d, u32 long_size)
{
	u32 is_signed = 0;

	*d = (struct declaration){ 0 };
	if (!take_token(token, "field") || !take_token(token, ":") || !take_declaration(token, d, long_size) ||
	    !take_token(token, ";") || !take_value(token, "offset", &d->field.off) ||
	    !take_value(token, "size", &d->field.size))
		return false;
	if (token_is(token, "signed") && !take_value(token, "signed", &is_signed))
		return false;
	d->field.is_signed = is_signed;
	if (token->kind != TOKEN_NEWLINE)
		return false;
	token_next(token);
	return true;
}

/* Types of elements: the declared length, or else the type, says how large they are. */
static void finish_field(struct declaration *d)
{
	struct layout_field *field = &d->field;
	u32 element = field->size;

	if (field->is_array && !field->is_dynamic && d->length)
		element = field->size / d->length;
	else if (field->is_array || field->is_dynamic)
		element = field->is_pointer ? 8 : d->unit;
	field->element = is_number_size(element) ? element : 1;
	field->is_string_pointer = field->is_pointer && !field->is_array && d->has_char;
	if (field->is_array && d->has_char && !d->has_unsigned)
		field->kind = LAYOUT_TEXT;
	else if (field->is_array)
		field->kind = LAYOUT_ARRAY;
	else if (!is_number_size(field->size) || field->is_dynamic)
		field->kind = LAYOUT_BYTES;
	else
		field->kind = LAYOUT_NUMBER;
	field->is_device = d->has_dev_t && field->kind == LAYOUT_NUMBER && field->size == 4;
}

static bool take_head(struct token *token)
{
	u32 id;

	if (!take_token(token, "name") || !take_token(token, ":") || token->kind != TOKEN_WORD)
		return false;
	token_next(token);
	if (!take_newlines(token) || !take_token(token, "ID") || !take_token(token, ":") ||
	    !take_number(token, &id) || !take_newlines(token) || !take_token(token, "format") ||
	    !take_token(token, ":") || token->kind != TOKEN_NEWLINE)
		return false;
	token_next(token);
	return true;
}

/* The place of a dynamic field has 4 bytes, in a synthetic event 8, and each of an array of texts 4. */
static bool declaration_can_be(const struct declaration *d)
{
	const struct layout_field *field = &d->field;

	if (field->off < FORMATS_COMMON || field->off > MAX_END || field->size > MAX_END - field->off)
		return false;
	if (d->places)
		return d->places <= MAX_PLACES && field->size == d->places * PLACE_SIZE;
	return !field->is_dynamic || field->size == PLACE_SIZE || field->size == 8;
}

/* Its fields, of which the texts of an array are one each: "name[1]". */
static void add_declared(struct layout *layout, const struct declaration *d, char **names)
{
	u32 i;

	for (i = 0; i == 0 || i < d->places; i++) {
		struct layout_field *field = &layout->fields[layout->nr++];

		*field = d->field;
		field->off += i * PLACE_SIZE - FORMATS_COMMON;
		field->name = *names;
		*names += sprintf(*names, d->places ? "%.*s[%u]" : "%.*s", (int)d->name.len, d->name.at, i) + 1;
		if (d->places)
			field->size = PLACE_SIZE;
	}
}

/* What all fields together say of a payload. */
static void finish_layout(struct layout *layout, bool is_stack)
{
	u32 i;

	layout->is_fixed = true;
	for (i = 0; i < layout->nr; i++) {
		struct layout_field *field = &layout->fields[i];
		u32 end;

		/*
		 * A last array without a size has the rest of the event.  A kernel stack does as
		 * well: its declared size is only the room that the kernel began with.
		 */
		field->is_rest = i + 1 == layout->nr && field->is_array && !field->is_dynamic &&
				 (!field->size || is_stack);
		field->is_dynamic |= field->is_rest;
		layout->is_fixed &= !field->is_dynamic;
		layout->nr_devices += field->is_device;
		end = field->off + (field->is_rest ? 0 : field->size);
		if (end > layout->size)
			layout->size = end;
	}
}

/* @all: @nr declarations.  The layout and its names are one piece of memory. */
static enum format_header_result make_layout(struct layout *layout, const struct declaration *all,
					     u32 nr, bool is_stack)
{
	u32 i, n, fields = 0;
	size_t len = 0;
	char *names;

	for (i = 0; i < nr; i++) {
		if (!declaration_can_be(&all[i]))
			return FORMAT_HEADER_IMPOSSIBLE;
		n = all[i].places ? all[i].places : 1;
		fields += n;
		len += n * (all[i].name.len + sizeof("[63]"));
	}
	*layout = (struct layout){ 0 };
	layout->fields = calloc(1, fields * sizeof(*layout->fields) + len + 1);
	if (!layout->fields)
		return FORMAT_HEADER_BROKEN;
	names = (char *)(layout->fields + fields);
	for (i = 0; i < nr; i++)
		add_declared(layout, &all[i], &names);
	finish_layout(layout, is_stack);
	return FORMAT_HEADER_GOOD;
}

enum format_header_result format_header_read(struct layout *layout, const char *system,
					     const char *text, u32 long_size,
					     struct token *ret_print)
{
	struct declaration all[MAX_FIELDS];
	struct token token = token_first(text);
	bool is_stack = !strcmp(system, "ftrace") && !strncmp(text, "name: kernel_stack\n", 19);
	u32 nr;

	if (strnlen(text, MAX_TEXT + 1) > MAX_TEXT || !token_text_is_whole(text) ||
	    !take_head(&token))
		return FORMAT_HEADER_BROKEN;
	/* The fields that all events have are not recorded. */
	for (nr = 0; token.kind != TOKEN_NEWLINE; nr++)
		if (nr == MAX_COMMON || !take_field(&token, &all[0], long_size))
			return FORMAT_HEADER_BROKEN;
	token_next(&token);
	for (nr = 0; token.kind != TOKEN_NEWLINE; nr++) {
		if (nr == MAX_FIELDS || !take_field(&token, &all[nr], long_size))
			return FORMAT_HEADER_BROKEN;
		finish_field(&all[nr]);
	}
	take_newlines(&token);
	if (!take_token(&token, "print") || !take_token(&token, "fmt") || !take_token(&token, ":"))
		return FORMAT_HEADER_BROKEN;
	*ret_print = token;
	return make_layout(layout, all, nr, is_stack);
}

void format_header_free(struct layout *layout)
{
	free(layout->fields);
	*layout = (struct layout){ 0 };
}
