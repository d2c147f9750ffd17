// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arguments of a print format, read as C reads them: operators by precedence, parentheses,
 * casts, conditions, and what a kernel's print formats call.
 */
#include <ctype.h>
#include <string.h>

#include "formats.h"
#include "print_enum.h"
#include "print_program_impl.h"

#define MAX_DEPTH	96	/* of one in another, each a few calls */
#define CHOICE		0	/* a level below all operators */

struct parse {
	struct print_program *plan;
	struct token token;
	u32 depth;
};

static const struct node *parse_expression(struct parse *parse);
static const struct node *parse_unary(struct parse *parse);

struct node *print_program_node(struct print_program *plan, enum node_kind kind)
{
	if (plan->nr_nodes == plan->max_nodes)
		return NULL;
	plan->nodes[plan->nr_nodes] = (struct node){ .kind = kind };
	return &plan->nodes[plan->nr_nodes++];
}

static bool skip(struct parse *parse, const char *text)
{
	if (parse->token.kind == TOKEN_STRING || !token_is(&parse->token, text))
		return false;
	token_next(&parse->token);
	return true;
}

/* Of a character behind a backslash. */
static char unescape(char c)
{
	static const char from[] = "ntr", to[] = "\n\t\r";
	const char *at = c ? strchr(from, c) : NULL;

	return at ? to[at - from] : c;
}

/* Numbers behind a backslash are not known here, nor a quote that the lexer took for no end. */
static bool append_string(struct print_program *plan, const struct token *token)
{
	const char *p = token->at + 1, *end = token->at + token->len - 1;

	for (; p < end; p++) {
		bool is_escaped = *p == '\\';

		if (*p == '"' || (is_escaped && (++p == end || isdigit((u8)*p) || *p == 'x')))
			return false;
		plan->chars[plan->nr_chars++] = is_escaped ? unescape(*p) : *p;
	}
	return true;
}

bool print_parse_strings(struct print_program *plan, struct token *token, const char **ret,
			 u32 *ret_len)
{
	u32 start = plan->nr_chars;

	if (token->kind != TOKEN_STRING || *token->at != '"')
		return false;
	for (; token->kind == TOKEN_STRING && *token->at == '"'; token_next(token))
		if (!append_string(plan, token))
			return false;
	*ret = plan->chars + start;
	*ret_len = plan->nr_chars - start;
	return true;
}

static const struct node *new_constant(struct print_program *plan, struct print_type type, u64 value)
{
	struct node *node = print_program_node(plan, NODE_CONSTANT);

	if (!node)
		return NULL;
	node->type = type;
	node->value = print_type_fit(type, value);
	return node;
}

/* What has only constants is one, and takes the place of the first of them. */
static const struct node *fold(struct print_program *plan, struct node *node)
{
	struct bytes none = bytes_of(NULL, 0, ORDER_HOST);
	struct node *a = (struct node *)node->a;
	bool is_one = a->kind == NODE_CONSTANT && (!node->b || node->b->kind == NODE_CONSTANT) &&
		      (!node->c || node->c->kind == NODE_CONSTANT);
	struct node constant = { .kind = NODE_CONSTANT, .type = node->type };

	if (!is_one)
		return node;
	constant.value = print_number(node, &none);
	*a = constant;
	plan->nr_nodes = a - plan->nodes + 1;
	return a;
}

static const struct node *new_cast(struct print_program *plan, struct print_type type,
				   const struct node *of)
{
	struct node *node = print_program_node(plan, NODE_CAST);

	if (!node)
		return NULL;
	node->type = type;
	node->a = of;
	return fold(plan, node);
}

static bool is_shift(enum print_op op)
{
	return op == OP_SHL || op == OP_SHR;
}

static bool is_comparison(enum print_op op)
{
	return (op >= OP_LT && op <= OP_NE) || op == OP_BOTH || op == OP_EITHER;
}

static const struct node *new_op(struct print_program *plan, enum print_op op, const struct node *a,
				 const struct node *b)
{
	const struct print_type truth = { .size = 4, .is_signed = true };
	struct node *node = print_program_node(plan, NODE_OP);

	if (!node || !node_is_number(a) || !node_is_number(b))
		return NULL;
	node->op = op;
	if (is_shift(op))
		node->from = print_type_promoted(a->type);
	else
		node->from = print_type_common(a->type, b->type);
	node->type = is_comparison(op) ? truth : node->from;
	node->a = a;
	node->b = b;
	return fold(plan, node);
}

/* All that lies behind what all events have. */
static bool lies_behind_common(struct print_program *plan, const struct tep_format_field *field)
{
	u32 end = field->offset - FORMATS_COMMON + field->size;

	if (field->offset < FORMATS_COMMON || field->size <= 0)
		return false;
	if (end > plan->size)
		plan->size = end;
	return true;
}

static const struct tep_format_field *parse_field(struct parse *parse)
{
	struct tep_event *event = (struct tep_event *)parse->plan->event;
	const struct tep_format_field *field;
	char name[128];

	if (parse->token.kind != TOKEN_WORD || parse->token.len >= sizeof(name))
		return NULL;
	memcpy(name, parse->token.at, parse->token.len);
	name[parse->token.len] = 0;
	field = tep_find_any_field(event, name);
	if (!field || !lies_behind_common(parse->plan, field))
		return NULL;
	token_next(&parse->token);
	return field;
}

/* Of a size that a number has. */
static struct print_type type_of(const struct tep_format_field *field, u32 size)
{
	if (!size || size > 8 || (size & (size - 1)))
		size = 1;
	return (struct print_type){ .size = size, .is_signed = field->flags & TEP_FIELD_IS_SIGNED };
}

static const struct node *new_array(struct print_program *plan, const struct tep_format_field *field)
{
	struct node *node = print_program_node(plan, NODE_ARRAY);

	if (!node)
		return NULL;
	node->off = field->offset - FORMATS_COMMON;
	node->size = field->size;
	node->from = type_of(field, field->elementsize);
	return node;
}

static const struct node *new_field(struct print_program *plan, const struct tep_format_field *field)
{
	struct node *node;

	if ((field->flags & TEP_FIELD_IS_DYNAMIC) || field->size > 8 ||
	    (field->size & (field->size - 1)))
		return NULL;
	node = print_program_node(plan, NODE_FIELD);
	if (!node)
		return NULL;
	node->off = field->offset - FORMATS_COMMON;
	node->type = type_of(field, field->size);
	node->from = node->type;
	return node;
}

/* Behind "REC". */
static const struct node *parse_member(struct parse *parse, bool is_address)
{
	const struct tep_format_field *field = skip(parse, "->") ? parse_field(parse) : NULL;

	if (!field)
		return NULL;
	if (!(field->flags & TEP_FIELD_IS_DYNAMIC) &&
	    (is_address || (field->flags & TEP_FIELD_IS_ARRAY)))
		return new_array(parse->plan, field);
	return is_address ? NULL : new_field(parse->plan, field);
}

/* What __get_str() and its like are called with: a word that leads to an array. */
static struct node *parse_dynamic(struct parse *parse, enum node_kind kind)
{
	const struct tep_format_field *field = parse_field(parse);
	struct node *node;

	if (!field || !(field->flags & TEP_FIELD_IS_DYNAMIC) || field->size != 4)
		return NULL;
	node = print_program_node(parse->plan, kind);
	if (!node)
		return NULL;
	node->off = field->offset - FORMATS_COMMON;
	node->value = field->flags & TEP_FIELD_IS_RELATIVE ? field->offset + field->size : 0;
	node->from = type_of(field, field->elementsize);
	node->type = (struct print_type){ .size = 4 };
	return node;
}

/* "((void *)0)", and what else is zero. */
static bool is_null(const struct node *node)
{
	return node && node->kind == NODE_CONSTANT && !node->value;
}

/* Up to a comma that is in no brackets. */
static bool skip_value(struct parse *parse)
{
	u32 open = 0;

	for (; parse->token.kind != TOKEN_END; token_next(&parse->token)) {
		if (!open && token_is(&parse->token, ","))
			return true;
		if (parse->token.kind != TOKEN_SIGN)
			continue;
		open += strchr("([{", *parse->token.at) != NULL;
		if (strchr(")]}", *parse->token.at) && !open--)
			return false;
	}
	return false;
}

/* Some names of old kernels the library knows, and those stay its own. */
static bool is_for_library(const struct token *token)
{
	return memmem(token->at, token->len, "SOFTIRQ", strlen("SOFTIRQ")) ||
	       memmem(token->at, token->len, "RESTART", strlen("RESTART"));
}

/* The constant of a label.  What the kernel left a name in has a value that nothing here knows. */
static bool parse_label_value(struct parse *parse, struct label *label)
{
	u32 nr_nodes = parse->plan->nr_nodes, nr_chars = parse->plan->nr_chars;
	struct token start = parse->token;
	const struct node *node;

	if (is_for_library(&start))
		return false;
	node = parse_expression(parse);
	if (node && node->kind == NODE_CONSTANT && token_is(&parse->token, ",")) {
		label->value = node->value;
		label->is_known = true;
	} else {
		parse->token = start;
		parse->plan->nr_chars = nr_chars;
		if (!skip_value(parse))
			return false;
	}
	parse->plan->nr_nodes = nr_nodes;
	return true;
}

/* "((void *)0)" is the end of a list. */
static bool parse_label_text(struct parse *parse, struct label *label)
{
	u32 nr_nodes = parse->plan->nr_nodes;

	if (print_parse_strings(parse->plan, &parse->token, &label->text, &label->len))
		return true;
	if (!is_null(parse_expression(parse)))
		return false;
	parse->plan->nr_nodes = nr_nodes;
	label->is_known = false;
	return true;
}

/* "{ 1, "ONE" }" */
static bool parse_label(struct parse *parse)
{
	struct label *label = &parse->plan->labels[parse->plan->nr_labels];

	if (!skip(parse, "{") || parse->plan->nr_labels == parse->plan->max_labels)
		return false;
	parse->plan->nr_labels++;
	return parse_label_value(parse, label) && skip(parse, ",") &&
	       parse_label_text(parse, label) && skip(parse, "}");
}

static const struct node *parse_labels(struct parse *parse, struct node *node)
{
	node->labels = &parse->plan->labels[parse->plan->nr_labels];
	do {
		if (!parse_label(parse))
			return NULL;
		node->nr++;
	} while (skip(parse, ","));
	return node;
}

static const struct node *parse_number(struct parse *parse)
{
	const struct node *node = parse_expression(parse);

	return node && node_is_number(node) ? node : NULL;
}

static const struct node *parse_array(struct parse *parse)
{
	const struct node *node = parse_expression(parse);

	return node && node_is_array(node) ? node : NULL;
}

static const struct node *call_symbolic(struct parse *parse)
{
	struct node *node = print_program_node(parse->plan, NODE_SYMBOL);

	if (!node)
		return NULL;
	node->a = parse_number(parse);
	return node->a && skip(parse, ",") ? parse_labels(parse, node) : NULL;
}

static const struct node *call_flags(struct parse *parse)
{
	struct node *node = print_program_node(parse->plan, NODE_FLAGS);

	if (!node)
		return NULL;
	node->a = parse_number(parse);
	if (!node->a || !skip(parse, ",") ||
	    !print_parse_strings(parse->plan, &parse->token, &node->text, &node->len))
		return NULL;
	return skip(parse, ",") ? parse_labels(parse, node) : NULL;
}

static const struct node *parse_hex(struct parse *parse, const char *between)
{
	struct node *node = print_program_node(parse->plan, NODE_HEX);

	if (!node)
		return NULL;
	node->text = between;
	node->len = strlen(between);
	node->a = parse_array(parse);
	node->b = node->a && skip(parse, ",") ? parse_number(parse) : NULL;
	return node->b ? node : NULL;
}

static const struct node *call_hex(struct parse *parse)
{
	return parse_hex(parse, " ");
}

static const struct node *call_hex_str(struct parse *parse)
{
	return parse_hex(parse, "");
}

static const struct node *call_array(struct parse *parse)
{
	struct node *node = print_program_node(parse->plan, NODE_INTS);

	if (!node)
		return NULL;
	node->a = parse_array(parse);
	node->b = node->a && skip(parse, ",") ? parse_number(parse) : NULL;
	node->c = node->b && skip(parse, ",") ? parse_number(parse) : NULL;
	return node->c ? node : NULL;
}

static const struct node *call_dynamic(struct parse *parse)
{
	return parse_dynamic(parse, NODE_DYNAMIC);
}

static const struct node *call_length(struct parse *parse)
{
	return parse_dynamic(parse, NODE_LENGTH);
}

static const struct node *call_bitmask(struct parse *parse)
{
	struct node *node = print_program_node(parse->plan, NODE_BITMASK);

	if (!node)
		return NULL;
	node->a = parse_dynamic(parse, NODE_DYNAMIC);
	return node->a ? node : NULL;
}

/* likely() and unlikely() */
static const struct node *call_expect(struct parse *parse)
{
	const struct print_type type = { .size = parse->plan->long_size, .is_signed = true };
	const struct node *node = parse_number(parse);

	if (!node || !skip(parse, ",") || !parse_number(parse))
		return NULL;
	return new_cast(parse->plan, type, node);
}

static const struct node *parse_name(struct parse *parse, print_name_fn *name)
{
	struct node *node = print_program_node(parse->plan, NODE_NAME);

	if (!node || !skip(parse, "("))
		return NULL;
	node->name = name;
	node->a = parse_number(parse);
	return node->a && skip(parse, ")") ? node : NULL;
}

static const struct node *parse_words(struct parse *parse, const struct print_words *words)
{
	struct node *node = print_program_node(parse->plan, NODE_WORDS);

	if (!node || !skip(parse, "("))
		return NULL;
	node->words = words;
	node->a = parse_number(parse);
	return node->a && skip(parse, ")") ? node : NULL;
}

static const struct node *parse_call(struct parse *parse)
{
	static const struct {
		const char *name;
		const struct node *(*call)(struct parse *parse);
	} functions[] = {
		{ "__print_flags", call_flags },
		{ "__print_flags_u64", call_flags },
		{ "__print_symbolic", call_symbolic },
		{ "__print_symbolic_u64", call_symbolic },
		{ "__print_hex", call_hex },
		{ "__print_hex_str", call_hex_str },
		{ "__print_array", call_array },
		{ "__get_str", call_dynamic },
		{ "__get_rel_str", call_dynamic },
		{ "__get_dynamic_array", call_dynamic },
		{ "__get_rel_dynamic_array", call_dynamic },
		{ "__get_dynamic_array_len", call_length },
		{ "__get_rel_dynamic_array_len", call_length },
		{ "__get_bitmask", call_bitmask },
		{ "__get_rel_bitmask", call_bitmask },
		{ "__get_cpumask", call_bitmask },
		{ "__get_rel_cpumask", call_bitmask },
		{ "__builtin_expect", call_expect },
	};
	const struct token name = parse->token;
	const struct print_words *words;
	print_name_fn *where;
	const struct node *node;
	u32 i;

	token_next(&parse->token);
	for (i = 0; i < ARRAY_SIZE(functions); i++) {
		if (!token_is(&name, functions[i].name))
			continue;
		node = skip(parse, "(") ? functions[i].call(parse) : NULL;
		return node && skip(parse, ")") ? node : NULL;
	}
	where = print_name_function(&name);
	if (where)
		return parse_name(parse, where);
	words = print_words_of(&name);
	return words ? parse_words(parse, words) : NULL;
}

static const struct node *parse_sizeof(struct parse *parse)
{
	u32 long_size = parse->plan->long_size;
	struct print_type type;
	bool is_pointer;

	token_next(&parse->token);
	if (!skip(parse, "(") || !print_type_read(&parse->token, long_size, &type, &is_pointer) ||
	    !skip(parse, ")"))
		return NULL;
	return new_constant(parse->plan, (struct print_type){ .size = long_size },
			    is_pointer ? long_size : type.size);
}

static const struct node *parse_constant(struct parse *parse)
{
	struct print_type type;
	u64 value;

	if (!print_type_constant(&parse->token, parse->plan->long_size, &type, &value)) {
		if (!print_enum_value(&parse->token, &value))
			return NULL;
		type = (struct print_type){ .size = 4 };
	}
	token_next(&parse->token);
	return new_constant(parse->plan, type, value);
}

static const struct node *parse_word(struct parse *parse)
{
	struct token next = parse->token;

	token_next(&next);
	if (skip(parse, "REC"))
		return parse_member(parse, false);
	if (token_is(&parse->token, "sizeof"))
		return parse_sizeof(parse);
	if (token_is(&next, "("))
		return parse_call(parse);
	return parse_constant(parse);
}

/* "'A'": an int */
static const struct node *parse_character(struct parse *parse)
{
	const char *p = parse->token.at + 1;
	bool is_escaped = *p == '\\';

	if (parse->token.len != (is_escaped ? 4U : 3U) || (is_escaped && isdigit((u8)p[1])))
		return NULL;
	token_next(&parse->token);
	return new_constant(parse->plan, (struct print_type){ .size = 4, .is_signed = true },
			    is_escaped ? unescape(p[1]) : *p);
}

static const struct node *parse_string(struct parse *parse)
{
	struct node *node;

	if (*parse->token.at == '\'')
		return parse_character(parse);
	node = print_program_node(parse->plan, NODE_TEXT);
	if (!node || !print_parse_strings(parse->plan, &parse->token, &node->text, &node->len))
		return NULL;
	return node;
}

/* An array by another type of its elements, a number by its own. */
static const struct node *parse_cast(struct parse *parse, struct print_type type, bool is_pointer)
{
	const struct node *of = parse_unary(parse);
	struct node *node;

	if (!of)
		return NULL;
	if (node_is_number(of) && is_pointer)
		type = (struct print_type){ .size = parse->plan->long_size };
	if (node_is_number(of))
		return new_cast(parse->plan, type, of);
	if (!is_pointer || !node_is_text(of))
		return NULL;
	if (!node_is_array(of) || !type.size)
		return of;
	node = print_program_node(parse->plan, of->kind);
	if (!node)
		return NULL;
	*node = *of;
	node->from = type;
	return node;
}

/* "(REC)" is "REC". */
static bool skip_wrapped_record(struct parse *parse)
{
	struct token start = parse->token;

	if (skip(parse, "REC") || (skip(parse, "(") && skip(parse, "REC") && skip(parse, ")")))
		return true;
	parse->token = start;
	return false;
}

static const struct node *parse_parentheses(struct parse *parse)
{
	const struct node *node;
	struct print_type type;
	bool is_pointer;

	if (skip_wrapped_record(parse))
		return parse_member(parse, false);
	token_next(&parse->token);
	if (print_type_read(&parse->token, parse->plan->long_size, &type, &is_pointer))
		return skip(parse, ")") ? parse_cast(parse, type, is_pointer) : NULL;
	node = parse_expression(parse);
	return node && skip(parse, ")") ? node : NULL;
}

static const struct node *parse_operand(struct parse *parse)
{
	if (parse->token.kind == TOKEN_STRING)
		return parse_string(parse);
	if (token_is(&parse->token, "("))
		return parse_parentheses(parse);
	return parse->token.kind == TOKEN_WORD ? parse_word(parse) : NULL;
}

/* "[1]": of a bool, true or false. */
static const struct node *parse_index(struct parse *parse, const struct node *array)
{
	struct node *node;

	if (!node_is_array(array))
		return NULL;
	node = print_program_node(parse->plan, NODE_ELEMENT);
	if (!node)
		return NULL;
	node->type = array->from;
	node->a = array;
	node->b = parse_number(parse);
	return node->b && skip(parse, "]") ? node : NULL;
}

static const struct node *parse_postfix(struct parse *parse)
{
	const struct node *node = parse_operand(parse);

	while (node && skip(parse, "["))
		node = parse_index(parse, node);
	return node;
}

/* "&REC->a", "&(REC->a)" */
static const struct node *parse_address(struct parse *parse)
{
	bool is_wrapped = !skip_wrapped_record(parse) && skip(parse, "(");
	const struct node *node;

	if (is_wrapped && !skip_wrapped_record(parse))
		return NULL;
	node = parse_member(parse, true);
	return node && (!is_wrapped || skip(parse, ")")) ? node : NULL;
}

/* As an operator of two numbers, of which one is a constant. */
static const struct node *parse_sign(struct parse *parse, enum print_op op, s32 first)
{
	struct print_type type = { .size = 4, .is_signed = true };
	const struct node *a = new_constant(parse->plan, type, first);
	const struct node *b = a ? parse_unary(parse) : NULL;

	return b ? new_op(parse->plan, op, a, b) : NULL;
}

static const struct node *parse_signed(struct parse *parse)
{
	if (skip(parse, "-"))
		return parse_sign(parse, OP_SUB, 0);
	if (skip(parse, "+"))
		return parse_sign(parse, OP_ADD, 0);
	if (skip(parse, "~"))
		return parse_sign(parse, OP_XOR, -1);
	if (skip(parse, "!"))
		return parse_sign(parse, OP_EQ, 0);
	return skip(parse, "&") ? parse_address(parse) : parse_postfix(parse);
}

static const struct node *parse_unary(struct parse *parse)
{
	const struct node *node;

	if (++parse->depth > MAX_DEPTH)
		return NULL;
	node = parse_signed(parse);
	parse->depth--;
	return node;
}

/* The operator that stands here, and how tightly it binds; 0: there is none. */
static u32 operator_at(const struct token *token, enum print_op *ret)
{
	static const struct {
		const char *sign;
		enum print_op op;
		u32 level;
	} operators[] = {
		{ "||", OP_EITHER, 1 }, { "&&", OP_BOTH, 2 }, { "|", OP_OR, 3 }, { "^", OP_XOR, 4 },
		{ "&", OP_AND, 5 }, { "==", OP_EQ, 6 }, { "!=", OP_NE, 6 }, { "<", OP_LT, 7 },
		{ ">", OP_GT, 7 }, { "<=", OP_LE, 7 }, { ">=", OP_GE, 7 }, { "<<", OP_SHL, 8 },
		{ ">>", OP_SHR, 8 }, { "+", OP_ADD, 9 }, { "-", OP_SUB, 9 }, { "*", OP_MUL, 10 },
		{ "/", OP_DIV, 10 }, { "%", OP_MOD, 10 },
	};
	u32 i;

	for (i = 0; token->kind == TOKEN_SIGN && i < ARRAY_SIZE(operators); i++) {
		if (!token_is(token, operators[i].sign))
			continue;
		*ret = operators[i].op;
		return operators[i].level;
	}
	return 0;
}

/* Operators that bind more tightly than @level, those of one level from the left. */
static const struct node *parse_binary(struct parse *parse, u32 level)
{
	const struct node *a = parse_unary(parse), *b;
	enum print_op op;
	u32 at;

	while (a && (at = operator_at(&parse->token, &op)) > level) {
		token_next(&parse->token);
		b = parse_binary(parse, at);
		a = b ? new_op(parse->plan, op, a, b) : NULL;
	}
	return a;
}

/* A text, or a null pointer where one is wanted. */
static const struct node *as_text(struct print_program *plan, const struct node *of)
{
	static const char null[] = "(null)";
	struct node *node;

	if (node_is_text(of))
		return of;
	node = is_null(of) ? print_program_node(plan, NODE_TEXT) : NULL;
	if (!node)
		return NULL;
	node->text = null;
	node->len = strlen(null);
	return node;
}

/* @is_short: of "a ?: c", where @b is @a */
static const struct node *new_choice(struct print_program *plan, const struct node *a,
				     const struct node *b, const struct node *c, bool is_short)
{
	bool is_number = node_is_number(b) && node_is_number(c);
	struct node *node;

	if (!is_number) {
		b = as_text(plan, b);
		c = as_text(plan, c);
	}
	if (!node_is_number(a) || !b || !c)
		return NULL;
	node = print_program_node(plan, is_number ? NODE_CHOICE : NODE_TEXT_CHOICE);
	if (!node)
		return NULL;
	node->a = a;
	node->b = is_short ? NULL : b;
	node->c = c;
	if (!is_number)
		return node;
	node->type = print_type_common(b->type, c->type);
	return fold(plan, node);
}

static const struct node *parse_choice(struct parse *parse)
{
	const struct node *a = parse_binary(parse, CHOICE), *b, *c;
	bool is_short;

	if (!a || !skip(parse, "?"))
		return a;
	is_short = token_is(&parse->token, ":");
	b = is_short ? a : parse_expression(parse);
	c = b && skip(parse, ":") ? parse_expression(parse) : NULL;
	return c ? new_choice(parse->plan, a, b, c, is_short) : NULL;
}

static const struct node *parse_expression(struct parse *parse)
{
	const struct node *node;

	if (++parse->depth > MAX_DEPTH)
		return NULL;
	node = parse_choice(parse);
	parse->depth--;
	return node;
}

const struct node *print_parse_argument(struct print_program *plan, struct token *token)
{
	struct parse parse = { .plan = plan, .token = *token };
	const struct node *node = parse_expression(&parse);

	*token = parse.token;
	return node;
}
