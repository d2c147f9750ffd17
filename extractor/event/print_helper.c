// SPDX-License-Identifier: GPL-2.0-or-later
/* What print formats call: the helpers of the kernel's trace events, and functions known by name. */
#include <string.h>

#include "print_program_impl.h"

#define NS_PER_SEC	1000000000

static const struct print_type u64_type = { .size = 8 };
static const struct print_type s64_type = { .size = 8, .is_signed = true };

/* The field that __get_str() and its like name: an array with a place in the event. */
static const struct node *parse_dynamic(struct print_parser *parser, enum node_kind kind)
{
	const struct layout_field *field = print_parse_field(parser);

	if (!field || !field->is_dynamic || field->is_rest)
		return NULL;
	return print_program_node(parser->program, (struct node){
		.kind = kind, .type = { .size = 4 }, .off = field->off,
		.value = field->is_relative ? FORMATS_COMMON + field->off + field->size : 0,
		.from = print_element_type(field, field->element),
	});
}

/* Up to a comma that is in no brackets. */
static bool skip_value(struct print_parser *parser)
{
	u32 open = 0;

	for (; parser->token.kind != TOKEN_END; token_next(&parser->token)) {
		if (!open && token_is(&parser->token, ","))
			return true;
		if (parser->token.kind != TOKEN_SIGN)
			continue;
		open += strchr("([{", *parser->token.at) != NULL;
		if (strchr(")]}", *parser->token.at) && !open--)
			return false;
	}
	return false;
}

/* The constant of a label.  A name that the kernel left in its place has no known value. */
static bool parse_label_value(struct print_parser *parser, struct label *label)
{
	u32 nr_nodes = parser->program->nr_nodes, nr_chars = parser->program->nr_chars;
	struct token start = parser->token;
	const struct node *node = print_parse_expression(parser);

	if (node && node->kind == NODE_CONSTANT && token_is(&parser->token, ",")) {
		label->value = node->value;
		label->is_known = true;
	} else {
		parser->token = start;
		parser->program->nr_chars = nr_chars;
		if (!skip_value(parser))
			return false;
	}
	parser->program->nr_nodes = nr_nodes;
	return true;
}

/* "((void *)0)" is the end of a list. */
static bool parse_label_text(struct print_parser *parser, struct label *label)
{
	u32 nr_nodes = parser->program->nr_nodes;
	const struct node *end;

	if (print_parse_strings(parser, &label->text, &label->len))
		return true;
	end = print_parse_expression(parser);
	if (!end || end->kind != NODE_CONSTANT || end->value)
		return false;
	parser->program->nr_nodes = nr_nodes;
	label->is_known = false;
	return true;
}

/* "{ 1, "ONE" }, { 2, "TWO", }" */
static bool parse_labels(struct print_parser *parser, struct node *node)
{
	struct print_program *program = parser->program;
	struct token start = parser->token;

	node->labels = &program->labels[program->nr_labels];
	/* The list may be empty, or "{ }". */
	if (token_is(&start, ")") || (print_skip(parser, "{") && print_skip(parser, "}")))
		return true;
	parser->token = start;
	do {
		struct label *label = &program->labels[program->nr_labels];

		if (!print_skip(parser, "{") || program->nr_labels == program->max_labels)
			return false;
		program->nr_labels++;
		node->nr++;
		if (!parse_label_value(parser, label) || !print_skip(parser, ",") ||
		    !parse_label_text(parser, label))
			return false;
		print_skip(parser, ",");
		if (!print_skip(parser, "}"))
			return false;
	} while (print_skip(parser, ","));
	return true;
}

/* The arguments of a helper, as its line in the table below has them. */
static bool parse_arguments(struct print_parser *parser, const char *letters, struct node *node)
{
	const struct node **operands[] = { &node->a, &node->b, &node->c };
	u32 nr = 0;
	bool good = true;

	for (; good && *letters; letters++) {
		if (*letters == 's')
			good = print_parse_strings(parser, &node->text, &node->len);
		else if (*letters == 'l')
			good = parse_labels(parser, node);
		else if (*letters == 'd')
			good = (*operands[nr++] = parse_dynamic(parser, NODE_DYNAMIC)) != NULL;
		else if (*letters == 'a')
			good = (*operands[nr++] = print_parse_array(parser)) != NULL;
		else
			good = (*operands[nr++] = print_parse_number(parser)) != NULL;
		good = good && (!letters[1] || print_skip(parser, ",") || letters[1] == 'l');
	}
	return good;
}

/* likely(), unlikely() */
static const struct node *call_expect(struct print_parser *parser)
{
	const struct print_type type = { .size = parser->program->long_size, .is_signed = true };
	const struct node *node = print_parse_number(parser);

	if (!node || !print_skip(parser, ",") || !print_parse_number(parser))
		return NULL;
	return print_cast(parser->program, type, node);
}

/* ktime_to_us(), __print_ns_to_secs() and their like */
static const struct node *call_divided(struct print_parser *parser, struct print_type type,
				       enum print_op op, u64 by)
{
	const struct node *node = print_parse_number(parser), *divisor;

	node = node ? print_cast(parser->program, type, node) : NULL;
	divisor = node ? print_constant(parser->program, type, by) : NULL;
	node = divisor ? print_operation(parser->program, op, node, divisor) : NULL;
	return node && op == OP_MOD ?
	       print_cast(parser->program, (struct print_type){ .size = 4 }, node) : node;
}

static const struct node *call_swap(struct print_parser *parser, u8 size)
{
	const struct print_type type = { .size = size };
	const struct node *of = print_parse_number(parser);

	of = of ? print_cast(parser->program, type, of) : NULL;
	return of ? print_program_node(parser->program, (struct node){
		.kind = NODE_SWAPPED, .type = type, .a = of,
	}) : NULL;
}

/* A number that the format itself has; -1: it has none. */
static s64 parse_setting(struct print_parser *parser)
{
	const struct node *node = print_parse_number(parser);
	bool is_small = node && node->kind == NODE_CONSTANT && node->value <= INT32_MAX;

	return is_small && print_skip(parser, ",") ? (s64)node->value : -1;
}

/* (prefix, kind of prefix, bytes of a row, bytes of a number, array, bytes, with ASCII) */
static const struct node *call_hex_dump(struct print_parser *parser)
{
	struct node *node = print_program_node(parser->program,
					       (struct node){ .kind = NODE_HEX_DUMP });
	const struct node *ascii;

	if (!node || !print_parse_strings(parser, &node->text, &node->len) ||
	    !print_skip(parser, ",") || parse_setting(parser) != 0)
		return NULL;
	node->size = parse_setting(parser) == 32 ? 32 : 16;
	node->off = parse_setting(parser);
	if (!is_number_size(node->off))
		node->off = 1;
	node->a = print_parse_array(parser);
	node->b = node->a && print_skip(parser, ",") ? print_parse_number(parser) : NULL;
	ascii = node->b && print_skip(parser, ",") ? print_parse_number(parser) : NULL;
	return ascii && ascii->kind == NODE_CONSTANT && !ascii->value ? node : NULL;
}

enum call {
	CALL_DYNAMIC,	/* @number: enum node_kind */
	CALL_HEX_DUMP,
	CALL_NS,	/* @number: what remains of the seconds, enum print_op */
	CALL_KTIME,	/* @number: ns of the unit */
	CALL_EXPECT,
	CALL_SWAP,	/* @number: bytes */
};

/* A function that makes a number or an array. */
struct function {
	const char *name;
	enum call call;
	u32 number;
};

static const struct function functions[] = {
	{ "__get_str", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_rel_str", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_dynamic_array", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_rel_dynamic_array", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_sockaddr", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_rel_sockaddr", CALL_DYNAMIC, NODE_DYNAMIC },
	{ "__get_dynamic_array_len", CALL_DYNAMIC, NODE_LENGTH },
	{ "__get_rel_dynamic_array_len", CALL_DYNAMIC, NODE_LENGTH },
	{ "__print_hex_dump", CALL_HEX_DUMP, 0 },
	{ "__print_ns_to_secs", CALL_NS, OP_DIV },
	{ "__print_ns_without_secs", CALL_NS, OP_MOD },
	{ "ktime_to_ns", CALL_KTIME, 1 },
	{ "ktime_to_us", CALL_KTIME, 1000 },
	{ "ktime_to_ms", CALL_KTIME, 1000000 },
	{ "__builtin_expect", CALL_EXPECT, 0 },
	{ "__builtin_bswap16", CALL_SWAP, 2 },
	{ "__builtin_bswap32", CALL_SWAP, 4 },
	{ "__builtin_bswap64", CALL_SWAP, 8 },
};

/* Behind the opening parenthesis. */
static const struct node *parse_function(struct print_parser *parser, const struct function *f)
{
	switch (f->call) {
	case CALL_DYNAMIC:
		return parse_dynamic(parser, f->number);
	case CALL_HEX_DUMP:
		return call_hex_dump(parser);
	case CALL_NS:
		return call_divided(parser, u64_type, f->number, NS_PER_SEC);
	case CALL_KTIME:
		return call_divided(parser, s64_type, OP_DIV, f->number);
	case CALL_EXPECT:
		return call_expect(parser);
	case CALL_SWAP:
		return call_swap(parser, f->number);
	}
	return NULL;
}

/*
 * A helper that makes a text.
 * @arguments: by letters: n number, a array, d dynamic field, s string, l labels
 * @between: of NODE_HEX, the text between two bytes
 */
struct text_helper {
	const char *name;
	enum node_kind kind;
	const char *arguments;
	const char *between;
};

static const struct text_helper text_helpers[] = {
	{ "__print_flags", NODE_FLAGS, "nsl", "" },
	{ "__print_flags_u64", NODE_FLAGS, "nsl", "" },
	{ "__print_symbolic", NODE_SYMBOL, "nl", "" },
	{ "__print_symbolic_u64", NODE_SYMBOL, "nl", "" },
	{ "__print_hex", NODE_HEX, "an", " " },
	{ "__print_hex_str", NODE_HEX, "an", "" },
	{ "__print_array", NODE_INTS, "ann", "" },
	{ "__get_bitmask", NODE_BITMASK, "d", "" },
	{ "__get_rel_bitmask", NODE_BITMASK, "d", "" },
	{ "__get_cpumask", NODE_BITMASK, "d", "" },
	{ "__get_rel_cpumask", NODE_BITMASK, "d", "" },
};

static const struct node *parse_text_helper(struct print_parser *parser, const struct token *name)
{
	const struct print_words *words = print_words_of(name);
	struct text_helper helper = { NULL, NODE_WORDS, "n", "" };
	struct node *node;
	u32 i;

	for (i = 0; !words && i < ARRAY_SIZE(text_helpers); i++)
		if (token_is(name, text_helpers[i].name))
			helper = text_helpers[i];
	node = words || helper.name ? print_program_node(parser->program, (struct node){
		.kind = helper.kind, .words = words,
		.text = helper.between, .len = strlen(helper.between),
	}) : NULL;
	return node && parse_arguments(parser, helper.arguments, node) ? node : NULL;
}

const struct node *print_parse_call(struct print_parser *parser)
{
	const struct token name = parser->token;
	const struct function *f = functions;
	const struct node *node;

	token_next(&parser->token);
	if (!print_skip(parser, "("))
		return NULL;
	while (f < functions + ARRAY_SIZE(functions) && !token_is(&name, f->name))
		f++;
	node = f < functions + ARRAY_SIZE(functions) ? parse_function(parser, f) :
						       parse_text_helper(parser, &name);
	return node && print_skip(parser, ")") ? node : NULL;
}
