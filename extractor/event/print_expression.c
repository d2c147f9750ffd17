// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The arguments of a print format, read as C reads them: operators by precedence, parentheses,
 * casts and conditions.
 */
#include <ctype.h>
#include <string.h>

#include "print_program_impl.h"

#define MAX_DEPTH	96	/* of one in another, each a few calls */
#define MAX_CHAIN	256	/* operators one behind the other: each is in the next */
#define CHOICE		0	/* a level below all operators */

static const struct node *parse_unary(struct print_parser *parser);

struct node *print_program_node(struct print_program *program, struct node node)
{
	if (program->nr_nodes == program->max_nodes)
		return NULL;
	program->nodes[program->nr_nodes] = node;
	return &program->nodes[program->nr_nodes++];
}

bool print_skip(struct print_parser *parser, const char *text)
{
	if (parser->token.kind == TOKEN_STRING || !token_is(&parser->token, text))
		return false;
	token_next(&parser->token);
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
static bool append_string(struct print_program *program, const struct token *token)
{
	const char *p = token->at + 1, *end = token->at + token->len - 1;

	for (; p < end; p++) {
		bool is_escaped = *p == '\\';

		if (*p == '"' || (is_escaped && (++p == end || isdigit((u8)*p) || *p == 'x')))
			return false;
		program->chars[program->nr_chars++] = is_escaped ? unescape(*p) : *p;
	}
	return true;
}

bool print_parse_strings(struct print_parser *parser, const char **ret, u32 *ret_len)
{
	struct print_program *program = parser->program;
	struct token *token = &parser->token;
	u32 start = program->nr_chars;

	if (token->kind != TOKEN_STRING || *token->at != '"')
		return false;
	for (; token->kind == TOKEN_STRING && *token->at == '"'; token_next(token)) {
		if (!append_string(program, token)) {
			/* It may be read again as something else, and there is room for it once. */
			program->nr_chars = start;
			return false;
		}
	}
	*ret = program->chars + start;
	*ret_len = program->nr_chars - start;
	return true;
}

const struct node *print_constant(struct print_program *program, struct print_type type, u64 value)
{
	return print_program_node(program, (struct node){
		.kind = NODE_CONSTANT, .type = type, .value = print_type_fit(type, value),
	});
}

/* A number of other numbers.  That of constants is one, and takes the place of the first of them. */
static const struct node *new_number(struct print_program *program, struct node node)
{
	struct bytes none = bytes_of(NULL, 0, ORDER_HOST);

	if (program->nr_nodes == program->max_nodes)
		return NULL;
	if (node.a->kind != NODE_CONSTANT || (node.b && node.b->kind != NODE_CONSTANT) ||
	    (node.c && node.c->kind != NODE_CONSTANT))
		return print_program_node(program, node);
	program->nr_nodes = node.a - program->nodes;
	return print_constant(program, node.type, print_number(&node, &none));
}

const struct node *print_cast(struct print_program *program, struct print_type type,
			      const struct node *of)
{
	return new_number(program, (struct node){ .kind = NODE_CAST, .type = type, .a = of });
}

const struct node *print_operation(struct print_program *program, enum print_op op,
				   const struct node *a, const struct node *b)
{
	bool is_shift = op == OP_SHL || op == OP_SHR;
	bool is_truth = (op >= OP_LT && op <= OP_NE) || op == OP_BOTH || op == OP_EITHER;
	struct node node = { .kind = NODE_OP, .op = op, .a = a, .b = b };

	if (!node_is_number(a) || !node_is_number(b))
		return NULL;
	node.from = is_shift ? print_type_promoted(a->type) : print_type_common(a->type, b->type);
	node.type = is_truth ? (struct print_type){ .size = 4, .is_signed = true } : node.from;
	return new_number(program, node);
}

/* "name[1]" of an array of texts: @token is the bracket then. */
static const struct layout_field *field_of_text(const struct layout *layout, struct token *token)
{
	const char *name = token->at;
	u32 i;

	for (i = 0; i < 3; i++)
		token_next(token);
	return token_is(token, "]") ? layout_field_named(layout, name, token->at + 1 - name) : NULL;
}

const struct layout_field *print_parse_field(struct print_parser *parser)
{
	struct print_program *program = parser->program;
	struct token *name = &parser->token;
	const struct layout_field *field;

	field = name->kind == TOKEN_WORD ?
		layout_field_named(parser->layout, name->at, name->len) : NULL;
	if (!field && name->kind == TOKEN_WORD)
		field = field_of_text(parser->layout, name);
	if (!field)
		return NULL;
	if (field->off + field->size > program->size)
		program->size = field->off + field->size;
	token_next(&parser->token);
	return field;
}

struct print_type print_element_type(const struct layout_field *field, u32 size)
{
	return (struct print_type){ .size = is_number_size(size) ? size : 1,
				    .is_signed = field->is_signed };
}

/* Behind "REC". */
static const struct node *parse_member(struct print_parser *parser, bool is_address)
{
	const struct layout_field *field;
	struct print_type type;

	field = print_skip(parser, "->") ? print_parse_field(parser) : NULL;
	if (!field)
		return NULL;
	if ((!field->is_dynamic || field->is_rest) && (is_address || field->is_array))
		return print_program_node(parser->program, (struct node){
			.kind = NODE_ARRAY, .off = field->off, .size = field->size,
			.from = print_element_type(field, field->element),
		});
	if (is_address || field->kind != LAYOUT_NUMBER)
		return NULL;
	type = print_element_type(field, field->size);
	return print_program_node(parser->program, (struct node){
		.kind = NODE_FIELD, .field = field, .off = field->off, .type = type, .from = type,
	});
}

const struct node *print_parse_number(struct print_parser *parser)
{
	const struct node *node = print_parse_expression(parser);

	return node && node_is_number(node) ? node : NULL;
}

const struct node *print_parse_array(struct print_parser *parser)
{
	const struct node *node = print_parse_expression(parser);

	return node && node_is_array(node) ? node : NULL;
}

static const struct node *parse_sizeof(struct print_parser *parser)
{
	u32 long_size = parser->program->long_size;
	struct print_type type;
	bool is_pointer;

	token_next(&parser->token);
	if (!print_skip(parser, "(") || !print_type_read(&parser->token, long_size, &type, &is_pointer) ||
	    !print_skip(parser, ")"))
		return NULL;
	return print_constant(parser->program, (struct print_type){ .size = long_size },
			    is_pointer ? long_size : type.size);
}

/* An enumerator that the kernel left in the format by its name. */
static bool parse_enumerator(struct print_parser *parser, struct print_type *type, u64 *value)
{
	const struct print_names *names = parser->program->names;
	const struct token *token = &parser->token;
	char name[128];
	s64 number;

	*type = (struct print_type){ .size = 4 };
	if (print_enum_value(token, value))
		return true;
	if (token->kind != TOKEN_WORD || !names || !names->enumerator || token->len >= sizeof(name))
		return false;
	memcpy(name, token->at, token->len);
	name[token->len] = 0;
	if (!names->enumerator(names->priv, name, &number))
		return false;
	*value = number;
	type->is_signed = number == (s32)number;
	type->size = number == (s32)number || number == (u32)number ? 4 : 8;
	return true;
}

static const struct node *parse_constant(struct print_parser *parser)
{
	struct print_type type;
	u64 value;

	if (!print_type_constant(&parser->token, parser->program->long_size, &type, &value) &&
	    !parse_enumerator(parser, &type, &value))
		return NULL;
	token_next(&parser->token);
	return print_constant(parser->program, type, value);
}

static const struct node *parse_word(struct print_parser *parser)
{
	struct token next = parser->token;

	token_next(&next);
	if (print_skip(parser, "REC"))
		return parse_member(parser, false);
	if (token_is(&parser->token, "sizeof"))
		return parse_sizeof(parser);
	if (token_is(&next, "("))
		return print_parse_call(parser);
	return parse_constant(parser);
}

/* "'A'": an int */
static const struct node *parse_character(struct print_parser *parser)
{
	const char *p = parser->token.at + 1;
	bool is_escaped = *p == '\\';

	if (parser->token.len != (is_escaped ? 4U : 3U) || (is_escaped && isdigit((u8)p[1])))
		return NULL;
	token_next(&parser->token);
	return print_constant(parser->program, (struct print_type){ .size = 4, .is_signed = true },
			    is_escaped ? unescape(p[1]) : *p);
}

static const struct node *parse_string(struct print_parser *parser)
{
	struct node *node;

	if (*parser->token.at == '\'')
		return parse_character(parser);
	node = print_program_node(parser->program, (struct node){ .kind = NODE_TEXT });
	if (!node || !print_parse_strings(parser, &node->text, &node->len))
		return NULL;
	return node;
}

/* An array by another type of its elements, a number by its own. */
static const struct node *parse_cast(struct print_parser *parser, struct print_type type, bool is_pointer)
{
	const struct node *of = parse_unary(parser);
	struct node array;

	if (!of)
		return NULL;
	if (node_is_number(of) && is_pointer)
		type = (struct print_type){ .size = parser->program->long_size };
	if (node_is_number(of))
		return print_cast(parser->program, type, of);
	if (!is_pointer || !node_is_text(of))
		return NULL;
	if (!node_is_array(of) || !type.size)
		return of;
	array = *of;
	array.from = type;
	return print_program_node(parser->program, array);
}

/* "(REC)" is "REC". */
static bool skip_wrapped_record(struct print_parser *parser)
{
	struct token start = parser->token;

	if (print_skip(parser, "REC") || (print_skip(parser, "(") && print_skip(parser, "REC") && print_skip(parser, ")")))
		return true;
	parser->token = start;
	return false;
}

static const struct node *parse_parentheses(struct print_parser *parser)
{
	const struct node *node;
	struct print_type type;
	bool is_pointer;

	if (skip_wrapped_record(parser))
		return parse_member(parser, false);
	token_next(&parser->token);
	if (print_type_read(&parser->token, parser->program->long_size, &type, &is_pointer))
		return print_skip(parser, ")") ? parse_cast(parser, type, is_pointer) : NULL;
	node = print_parse_expression(parser);
	return node && print_skip(parser, ")") ? node : NULL;
}

/* "[1]": of a bool, true or false. */
static const struct node *parse_index(struct print_parser *parser, const struct node *array)
{
	const struct node *i = node_is_array(array) ? print_parse_number(parser) : NULL;

	if (!i || !print_skip(parser, "]"))
		return NULL;
	return print_program_node(parser->program, (struct node){
		.kind = NODE_ELEMENT, .type = array->from, .a = array, .b = i,
	});
}

/* An operand, and the indices behind it. */
static const struct node *parse_postfix(struct print_parser *parser)
{
	const struct node *node = NULL;

	if (parser->token.kind == TOKEN_STRING)
		node = parse_string(parser);
	else if (token_is(&parser->token, "("))
		node = parse_parentheses(parser);
	else if (parser->token.kind == TOKEN_WORD)
		node = parse_word(parser);
	while (node && print_skip(parser, "["))
		node = parse_index(parser, node);
	return node;
}

/* "&REC->a", "&(REC->a)" */
static const struct node *parse_address(struct print_parser *parser)
{
	bool is_wrapped = !skip_wrapped_record(parser) && print_skip(parser, "(");
	const struct node *node;

	if (is_wrapped && !skip_wrapped_record(parser))
		return NULL;
	node = parse_member(parser, true);
	return node && (!is_wrapped || print_skip(parser, ")")) ? node : NULL;
}

static const struct node *parse_unary(struct print_parser *parser)
{
	/* Each is an operator of two numbers, of which the first is a constant. */
	static const struct {
		const char *sign;
		enum print_op op;
		s32 first;
	} signs[] = {
		{ "-", OP_SUB, 0 }, { "+", OP_ADD, 0 }, { "~", OP_XOR, -1 }, { "!", OP_EQ, 0 },
	};
	const struct print_type type = { .size = 4, .is_signed = true };
	const struct node *node, *first;
	u32 i = 0;

	if (++parser->depth > MAX_DEPTH)
		return NULL;
	while (i < ARRAY_SIZE(signs) && !print_skip(parser, signs[i].sign))
		i++;
	if (i < ARRAY_SIZE(signs)) {
		first = print_constant(parser->program, type, signs[i].first);
		node = first ? parse_unary(parser) : NULL;
		if (node)
			node = print_operation(parser->program, signs[i].op, first, node);
	} else {
		node = print_skip(parser, "&") ? parse_address(parser) : parse_postfix(parser);
	}
	parser->depth--;
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
static const struct node *parse_binary(struct print_parser *parser, u32 level)
{
	const struct node *a = parse_unary(parser), *b;
	u32 at, nr = 0;
	enum print_op op;

	while (a && (at = operator_at(&parser->token, &op)) > level) {
		if (++nr > MAX_CHAIN)
			return NULL;
		token_next(&parser->token);
		b = parse_binary(parser, at);
		a = b ? print_operation(parser->program, op, a, b) : NULL;
	}
	return a;
}

const struct node *print_as_text(struct print_program *program, const struct node *of)
{
	static const char null[] = "(null)";
	struct node text = { .kind = NODE_TEXT, .text = null, .len = strlen(null) };

	if (node_is_text(of))
		return of;
	if (of->kind == NODE_FIELD && of->field->is_string_pointer)
		text = (struct node){ .kind = NODE_STRING, .a = of };
	else if (of->kind != NODE_CONSTANT || of->value)
		return NULL;
	return print_program_node(program, text);
}

/* @is_short: of "a ?: c", where @b is @a */
static const struct node *new_choice(struct print_program *program, const struct node *a,
				     const struct node *b, const struct node *c, bool is_short)
{
	struct node node = { .kind = NODE_CHOICE, .a = a };

	if (!node_is_number(a))
		return NULL;
	if (node_is_number(b) && node_is_number(c)) {
		node.type = print_type_common(b->type, c->type);
	} else {
		node.kind = NODE_TEXT_CHOICE;
		b = print_as_text(program, b);
		c = print_as_text(program, c);
		if (!b || !c)
			return NULL;
	}
	node.b = is_short ? NULL : b;
	node.c = c;
	return node.kind == NODE_CHOICE ? new_number(program, node) :
					  print_program_node(program, node);
}

const struct node *print_parse_expression(struct print_parser *parser)
{
	const struct node *a, *b, *c;
	bool is_short;

	if (++parser->depth > MAX_DEPTH)
		return NULL;
	a = parse_binary(parser, CHOICE);
	if (a && print_skip(parser, "?")) {
		is_short = token_is(&parser->token, ":");
		b = is_short ? a : print_parse_expression(parser);
		c = b && print_skip(parser, ":") ? print_parse_expression(parser) : NULL;
		a = c ? new_choice(parser->program, a, b, c, is_short) : NULL;
	}
	parser->depth--;
	return a;
}
