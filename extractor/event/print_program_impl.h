/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a print plan is made of: for what makes it, and what runs it. */
#ifndef EPITAPH_EVENT_PRINT_PROGRAM_IMPL_H
#define EPITAPH_EVENT_PRINT_PROGRAM_IMPL_H

#include "print_name.h"
#include "print_program.h"
#include "print_type.h"
#include "print_words.h"

#define PRINT_MAX_STEPS		64
#define PRINT_MAX_NODES		512
#define PRINT_MAX_WIDTH		64
#define PRINT_MAX_PRECISION	65535

enum node_kind {
	/* numbers */
	NODE_CONSTANT,		/* @value */
	NODE_FIELD,		/* a number of @from at @off */
	NODE_ELEMENT,		/* number @b of the array @a */
	NODE_LENGTH,		/* bytes of what the word at @off leads to */
	NODE_CAST,		/* @a */
	NODE_OP,		/* @op of @a and @b, which are of @from then */
	NODE_CHOICE,		/* @b, or @a itself, or @c if @a is not true */
	/* arrays of @from */
	NODE_ARRAY,		/* @size bytes at @off */
	NODE_DYNAMIC,		/* what the word at @off leads to, from @value on */
	/* texts */
	NODE_TEXT,		/* @len bytes of @text */
	NODE_FLAGS,		/* of @a: nr labels, with @text between them */
	NODE_SYMBOL,		/* of @a: the label that has its value */
	NODE_HEX,		/* @b bytes of the array @a, with @text between them */
	NODE_INTS,		/* @b numbers of @c bytes of the array @a */
	NODE_BITMASK,		/* the array @a */
	NODE_WORDS,		/* of @a: what @words say */
	NODE_NAME,		/* what @name says of the address @a */
	NODE_TEXT_CHOICE,	/* @b or @c, as @a is true or not */
};

enum print_op {
	OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB, OP_SHL, OP_SHR, OP_LT, OP_GT, OP_LE, OP_GE,
	OP_EQ, OP_NE, OP_AND, OP_XOR, OP_OR, OP_BOTH, OP_EITHER,
};

/* @is_known: of a label whose name the kernel left in the format nothing has the value. */
struct label {
	u64 value;
	const char *text;
	u32 len;
	bool is_known;
};

/* @type: of the number that it is */
struct node {
	enum node_kind kind : 8;
	enum print_op op : 8;
	struct print_type type;
	struct print_type from;
	u32 off;
	u32 size;
	u64 value;
	const char *text;
	u32 len;
	const struct node *a;
	const struct node *b;
	const struct node *c;
	const struct label *labels;
	u32 nr;
	print_name_fn *name;
	const struct print_words *words;
};

static inline bool node_is_number(const struct node *node)
{
	return node->kind <= NODE_CHOICE;
}

static inline bool node_is_array(const struct node *node)
{
	return node->kind == NODE_ARRAY || node->kind == NODE_DYNAMIC;
}

/* May "%s" have it? */
static inline bool node_is_text(const struct node *node)
{
	return node->kind >= NODE_ARRAY;
}

/*
 * One conversion, and the text before it.
 * @letter: d, u, x, X, o, c, s or p; of "%p", f is a function, M an address of a network card,
 *	4 and 6 of the Internet, U a UUID, h bytes; 0: there is none behind the last text
 * @how: what else stands behind "%p"
 * @has_offset: of the function, how far behind its begin
 * @size: bytes of the number that are looked at
 * @width_node, @precision_node: of "*", or NULL
 */
struct step {
	const char *text;
	u32 len;
	char letter;
	char how;
	u8 size;
	u16 width;
	s32 precision;
	bool is_left;
	bool has_zeroes;
	bool has_prefix;
	bool has_offset;
	bool is_upper;
	char plus;
	const struct node *node;
	const struct node *width_node;
	const struct node *precision_node;
};

/*
 * @size: the payload holds this many bytes, or more
 * @steps, @nodes, @labels: as many as the print format can have, behind the plan
 * @chars: texts of the print format, without quotes and backslashes
 */
struct print_program {
	const struct tep_event *event;
	u32 long_size;
	u32 size;
	u32 nr;
	u32 nr_nodes;
	u32 nr_labels;
	u32 nr_chars;
	u32 max_steps;
	u32 max_nodes;
	u32 max_labels;
	struct step *steps;
	struct node *nodes;
	struct label *labels;
	char *chars;
};

/* A node more; NULL: there are too many. */
struct node *print_program_node(struct print_program *plan, enum node_kind kind);

/* What stands from @token on, up to a comma or the end: a number, an array or a text. */
const struct node *print_parse_argument(struct print_program *plan, struct token *token);

/* Strings one behind the other: one, in the plan's memory. */
bool print_parse_strings(struct print_program *plan, struct token *token, const char **ret,
			 u32 *ret_len);

/* The number that @node, which is one, has in an event. */
u64 print_number(const struct node *node, struct bytes *payload);

/* The bytes of @node, an array. */
struct bytes print_array(const struct node *node, struct bytes *payload);

#endif
