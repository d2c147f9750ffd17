// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The language of print formats: a string, and arguments in C's own notation
 * without assignments, statements and calls of what is not listed here.
 *
 * It is narrower than C where the library reads something else than C would and
 * then loses its way: see take_index() and take_divisor().
 */
#include <string.h>

#include "format_header.h"
#include "format_text.h"
#include "print_name.h"

#define MAX_DEPTH	64
#define MAX_SIGNS	2048	/* each may be a level of the library's recursion */

/*
 * @token: where we are
 * @no_index: of the operand that begins here
 * @has_operator: of the operand that was taken last, in parentheses or in front
 * @is_mixed: an operator has such an operand, or is beside another one
 */
struct print {
	struct token token;
	const struct format_fields *fields;
	u32 long_size;
	u32 depth;
	u32 signs;
	bool no_index;
	bool has_operator;
	bool is_mixed;
};

typedef bool take_fn(struct print *print);

static bool take_operand(struct print *print);
static bool take_chain(struct print *print);
static bool take_expression(struct print *print);

static bool is(const struct print *print, const char *text)
{
	return token_is(&print->token, text);
}

static bool is_one_of(const struct print *print, const char * const *texts)
{
	while (*texts && !is(print, *texts))
		texts++;
	return *texts && print->token.kind == TOKEN_SIGN;
}

static bool take(struct print *print, const char *text)
{
	if (!is(print, text))
		return false;
	token_next(&print->token);
	return true;
}

static bool take_kind(struct print *print, enum token_kind kind)
{
	if (print->token.kind != kind)
		return false;
	token_next(&print->token);
	return true;
}

/* And those behind it, which are one with it; the library ends a string at a tab. */
static bool take_strings(struct print *print)
{
	if (print->token.kind != TOKEN_STRING)
		return false;
	while (print->token.kind == TOKEN_STRING) {
		if (memchr(print->token.at, '\t', print->token.len))
			return false;
		token_next(&print->token);
	}
	return true;
}

static bool take_field_name(struct print *print)
{
	if (!format_fields_have(print->fields, &print->token))
		return false;
	token_next(&print->token);
	return true;
}

/* "unsigned long", "struct task *" */
static bool take_type(struct print *print)
{
	if (is(print, "REC") || !take_kind(print, TOKEN_WORD))
		return false;
	while (take_kind(print, TOKEN_WORD))
		;
	take(print, "*");
	return true;
}

static u32 type_size(const struct print *print, const char *type, u32 len)
{
	static const struct {
		const char *type;
		u32 size;	/* 0: a long's */
	} sizes[] = {
		{ "char", 1 }, { "unsigned char", 1 }, { "u8", 1 }, { "s8", 1 }, { "__u8", 1 },
		{ "short", 2 }, { "unsigned short", 2 }, { "u16", 2 }, { "s16", 2 }, { "__u16", 2 },
		{ "int", 4 }, { "unsigned int", 4 }, { "unsigned", 4 }, { "u32", 4 }, { "s32", 4 },
		{ "__u32", 4 }, { "u64", 8 }, { "s64", 8 }, { "__u64", 8 }, { "long long", 8 },
		{ "unsigned long long", 8 }, { "long", 0 }, { "unsigned long", 0 }, { "void *", 0 },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		if (strlen(sizes[i].type) == len && !memcmp(sizes[i].type, type, len))
			return sizes[i].size ? sizes[i].size : print->long_size;
	return 0;
}

/* "sizeof(u32)"; the library knows few types, and looks at freed memory behind those. */
static bool take_sizeof(struct print *print)
{
	char *start = (char *)print->token.at;
	const char *type;
	u32 len, size;

	token_next(&print->token);
	if (!take(print, "("))
		return false;
	type = print->token.at;
	if (!take_type(print) || !is(print, ")"))
		return false;
	len = print->token.at - type;
	while (type[len - 1] == ' ')
		len--;
	size = type_size(print, type, len);
	if (!size)
		return false;
	memset(start, ' ', print->token.at + 1 - start);
	*start = '0' + size;
	token_next(&print->token);
	return true;
}

/* "{ 1, "ONE" }, ..." */
static bool take_list(struct print *print)
{
	do {
		if (!take(print, "{") || !take_chain(print) || !take(print, ","))
			return false;
		print->no_index = true;
		if (!take_operand(print) || !take(print, "}"))
			return false;
	} while (take(print, ","));
	return true;
}

static bool take_flags(struct print *print)
{
	return take_expression(print) && take(print, ",") &&
	       take_strings(print) && take(print, ",") && take_list(print);
}

static bool take_symbolic(struct print *print)
{
	return take_expression(print) && take(print, ",") && take_list(print);
}

static bool take_two(struct print *print)
{
	return take_expression(print) && take(print, ",") && take_expression(print);
}

static bool take_three(struct print *print)
{
	return take_two(print) && take(print, ",") && take_expression(print);
}

/* What the library can call, its arguments, and those of print_name.h. */
static bool take_call(struct print *print)
{
	static const struct {
		const char *name;
		take_fn *args;
	} functions[] = {
		{ "__print_flags", take_flags },
		{ "__print_flags_u64", take_flags },
		{ "__print_symbolic", take_symbolic },
		{ "__print_symbolic_u64", take_symbolic },
		{ "__print_hex", take_two },
		{ "__print_hex_str", take_two },
		{ "__print_array", take_three },
		{ "__get_str", take_field_name },
		{ "__get_rel_str", take_field_name },
		{ "__get_bitmask", take_field_name },
		{ "__get_rel_bitmask", take_field_name },
		{ "__get_cpumask", take_field_name },
		{ "__get_rel_cpumask", take_field_name },
		{ "__get_dynamic_array", take_field_name },
		{ "__get_rel_dynamic_array", take_field_name },
		{ "__get_sockaddr", take_field_name },
		{ "__get_sockaddr_rel", take_field_name },
		{ "__get_dynamic_array_len", take_field_name },
		{ "__get_rel_dynamic_array_len", take_field_name },
		{ "__builtin_expect", take_two },
		{ PRINT_NAME_WHERE, take_expression },
		{ PRINT_NAME_FUNCTION, take_expression },
		{ PRINT_NAME_STRING, take_expression },
	};
	struct token name = print->token;
	u32 i;

	token_next(&print->token);
	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (token_is(&name, functions[i].name))
			return take(print, "(") && functions[i].args(print) && take(print, ")");
	return false;
}

/* "REC->a"; the library follows the name without looking. */
static bool take_member(struct print *print)
{
	token_next(&print->token);
	return take(print, "->") && take_field_name(print);
}

static bool take_word(struct print *print)
{
	struct token next = print->token;

	token_next(&next);
	if (is(print, "REC"))
		return take_member(print);
	if (is(print, "sizeof"))
		return take_sizeof(print);
	if (token_is(&next, "("))
		return take_call(print);
	return take_kind(print, TOKEN_WORD);
}

/* "(u8)", and what it is of; nothing is taken if it is no cast. */
static bool take_cast(struct print *print)
{
	struct token start = print->token;

	token_next(&print->token);
	if (take_type(print) && take(print, ")"))
		return true;
	print->token = start;
	return false;
}

/* "(REC)->a" */
static bool take_wrapped_member(struct print *print)
{
	struct token start = print->token;

	token_next(&print->token);
	if (take(print, "REC") && take(print, ")"))
		return true;
	print->token = start;
	return false;
}

static bool take_parentheses(struct print *print)
{
	if (take_wrapped_member(print))
		return take(print, "->") && take_field_name(print);
	if (take_cast(print))
		return print->token.kind == TOKEN_SIGN && !is(print, "(") ? true : take_operand(print);
	token_next(&print->token);
	return take_expression(print) && take(print, ")");
}

/*
 * The library knows no index of an index, nor one within another, nor one of a condition's last
 * operand.
 */
static bool take_index(struct print *print, bool allowed)
{
	if (!is(print, "["))
		return true;
	token_next(&print->token);
	print->no_index = true;
	return allowed && take_operand(print) && take(print, "]") && !is(print, "[");
}

/* With signs in front and an index behind. */
static bool take_operand_of(struct print *print, bool index)
{
	static const char * const signs[] = { "-", "+", "~", "!", NULL };

	if (is_one_of(print, signs)) {
		token_next(&print->token);
		return take_operand(print) && (print->has_operator = true);
	}
	if (print->token.kind == TOKEN_STRING)
		return take_strings(print);
	if (is(print, "("))
		return take_parentheses(print) && take_index(print, index);
	return print->token.kind == TOKEN_WORD && take_word(print) && take_index(print, index);
}

static bool take_operand(struct print *print)
{
	bool index = !print->no_index, taken;

	print->no_index = false;
	print->has_operator = false;
	if (++print->depth > MAX_DEPTH || ++print->signs > MAX_SIGNS)
		return false;
	taken = take_operand_of(print, index);
	print->depth--;
	return taken;
}

/*
 * A constant above zero: the library works constants out while it parses, and divides by
 * "4 * 0" in "8 / 4 * 0".
 */
static bool take_divisor(struct print *print)
{
	static const char * const next[] = { "*", "/", "%", "[", NULL };
	bool open = take(print, "(");
	u64 number;

	if (is(print, "sizeof")) {
		if (!take_sizeof(print))
			return false;
	} else if (!token_number(&print->token, &number) || !number || number > INT64_MAX) {
		return false;
	} else {
		token_next(&print->token);
	}
	return (!open || take(print, ")")) && !is_one_of(print, next);
}

/* Behind an operator; false: it may not be divided by that. */
static bool take_second(struct print *print, bool division)
{
	print->has_operator = false;
	return division ? take_divisor(print) : take_operand(print);
}

/*
 * Operands, and signs between each two.  Of "a & (b | c)" the library makes "a & b | c", of "a - b - c"
 * "a - (b - c)".
 */
static bool take_chain(struct print *print)
{
	static const char * const divisions[] = { "/", "%", NULL };
	static const char * const signs[] = {
		"+", "-", "*", "<<", ">>", "&", "|", "^", "&&", "||", "<", ">", "<=", ">=", "==", "!=", NULL
	};
	bool any;

	if (!take_operand(print))
		return false;
	for (any = print->has_operator;; any = true) {
		bool division = is_one_of(print, divisions);

		if (!division && !is_one_of(print, signs))
			break;
		token_next(&print->token);
		if (++print->signs > MAX_SIGNS || !take_second(print, division))
			return false;
		print->is_mixed |= any || print->has_operator;
	}
	print->has_operator = any;
	return true;
}

/* Of "a ? b : c & d" the library makes "(a ? b : c) & d", and the same of another condition there. */
static bool take_condition(struct print *print)
{
	if (!take(print, "?"))
		return true;
	if (!take_expression(print) || !take(print, ":"))
		return false;
	print->no_index = true;
	if (!take_expression(print))
		return false;
	print->is_mixed |= print->has_operator;
	print->has_operator = true;
	return true;
}

static bool take_expression(struct print *print)
{
	bool taken;

	if (++print->depth > MAX_DEPTH)
		return false;
	taken = take_chain(print) && take_condition(print);
	print->depth--;
	return taken;
}

static bool take_print(struct print *print)
{
	if (*print->token.at != '"' || !take_strings(print))
		return false;
	while (take(print, ","))
		if (!take_expression(print))
			return false;
	while (take_kind(print, TOKEN_NEWLINE))
		;
	return print->token.kind == TOKEN_END;
}

struct format_print format_print_read(struct token token, const struct format_fields *fields, u32 long_size)
{
	struct print print = { .token = token, .fields = fields, .long_size = long_size };
	bool is_known = take_print(&print);

	return (struct format_print){ .is_known = is_known, .is_plain = is_known && !print.is_mixed };
}
