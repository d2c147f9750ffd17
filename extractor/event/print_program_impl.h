/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of a print program: what compiles it writes them, print_program_run.c reads them. */
#ifndef EPITAPH_EVENT_PRINT_PROGRAM_IMPL_H
#define EPITAPH_EVENT_PRINT_PROGRAM_IMPL_H

#include "format_lexer.h"
#include "print_program.h"
#include "print_type.h"
#include "print_words.h"

/* A probe's event has less than a page of arrays, each element of which is printed. */
#define PRINT_MAX_STEPS		4352
#define PRINT_MAX_NODES		16384
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
	NODE_SWAPPED,		/* @a with its bytes in the other order */
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
	NODE_HEX_DUMP,		/* @b bytes of the array @a, in rows of @size, numbers of @off bytes */
	NODE_BITMASK,		/* the array @a */
	NODE_WORDS,		/* of @a: what @words say */
	NODE_STRING,		/* of the kernel, at the address @a */
	NODE_TEXT_CHOICE,	/* @b or @c, as @a is true or not */
};

enum print_op {
	OP_MUL, OP_DIV, OP_MOD, OP_ADD, OP_SUB, OP_SHL, OP_SHR, OP_LT, OP_GT, OP_LE, OP_GE,
	OP_EQ, OP_NE, OP_AND, OP_XOR, OP_OR, OP_BOTH, OP_EITHER,
};

/* @type: of the number that it is; @field: of NODE_FIELD */
struct node {
	enum node_kind kind : 8;
	enum print_op op : 8;
	struct print_type type;
	struct print_type from;
	const struct layout_field *field;
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
 * @letter: d, u, x, o, c, s or p; of "%p", P is the address in all digits, f a function, M an
 *	address of a network card, 4 and 6 of the Internet, S of a socket, U a UUID, h bytes,
 *	a a number by its address, C a pixel format; 0: there is none behind the last text
 * @extension: letters and digits behind "%p", @extension_len of them
 * @has_offset: of the function, how far behind its begin
 * @is_place: the function as the kernel's trace file writes where a probe is
 * @is_quoted: a text of a probe, or that the probe could not read it
 * @size: bytes of the number that are looked at
 * @width_node, @precision_node: of "*", or NULL
 */
struct step {
	const char *text;
	u32 len;
	char letter;
	u8 extension_len;
	const char *extension;
	u8 size;
	u16 width;
	s32 precision;
	bool is_left;
	bool has_zeroes;
	bool has_prefix;
	bool has_offset;
	bool is_place;
	bool is_quoted;
	bool is_upper;
	char plus;
	const struct node *node;
	const struct node *width_node;
	const struct node *precision_node;
};

/*
 * @memory: bytes of the program
 * @size: the payload holds this many bytes, or more
 * @steps, @nodes, @labels: as many as the print format can have, behind the program
 * @chars: texts of the print format, without quotes and backslashes
 */
struct print_program {
	const struct print_names *names;
	size_t memory;
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
struct node *print_program_node(struct print_program *program, struct node node);

/**
 * struct print_parser - reads the arguments of a print format
 * @layout: the fields of the event
 * @token: the next one
 * @depth: of expressions in each other
 */
struct print_parser {
	struct print_program *program;
	const struct layout *layout;
	struct token token;
	u32 depth;
};

/* Steps over @text if it is the next token. */
bool print_skip(struct print_parser *parser, const char *text);

/* An expression, up to a comma or a bracket: a number, an array or a text; NULL: not known. */
const struct node *print_parse_expression(struct print_parser *parser);

/* The same, where only a number or an array will do. */
const struct node *print_parse_number(struct print_parser *parser);
const struct node *print_parse_array(struct print_parser *parser);

/* A call, from the name of the function on. */
const struct node *print_parse_call(struct print_parser *parser);

/* Strings one behind the other: one text, in the program's memory. */
bool print_parse_strings(struct print_parser *parser, const char **ret, u32 *ret_len);

/* The field that the next token names, which the payload must hold then; NULL: there is none. */
const struct layout_field *print_parse_field(struct print_parser *parser);

/* Elements of a field; of @size bytes if a number can have so many, else of one. */
struct print_type print_element_type(const struct layout_field *field, u32 size);

const struct node *print_constant(struct print_program *program, struct print_type type, u64 value);
const struct node *print_cast(struct print_program *program, struct print_type type,
			      const struct node *of);
const struct node *print_operation(struct print_program *program, enum print_op op,
				   const struct node *a, const struct node *b);

/* What "%s" shows of @of; NULL: nothing. */
const struct node *print_as_text(struct print_program *program, const struct node *of);

/* The number that @node, which is one, has in an event. */
u64 print_number(const struct node *node, struct bytes *payload);

/* The bytes of @node, an array. */
struct bytes print_array(const struct node *node, struct bytes *payload);

#endif
