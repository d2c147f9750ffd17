/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a print plan is made of: for what makes it, and what runs it. */
#ifndef EPITAPH_PRINT_PLAN_IMPL_H
#define EPITAPH_PRINT_PLAN_IMPL_H

#include "print_plan.h"

#define PRINT_MAX_STEPS		64
#define PRINT_MAX_NODES		256
#define PRINT_MAX_LABELS	512
#define PRINT_MAX_WIDTH		64

enum node_kind {
	NODE_CONSTANT,		/* @value */
	NODE_FIELD,		/* a number of @size bytes at @off */
	NODE_OP,		/* @op of @a and @b */
	NODE_TEXT,		/* @text */
	NODE_ARRAY,		/* a text of at most @size bytes at @off */
	NODE_DYNAMIC,		/* a text that the word at @off leads to, from @value on */
	NODE_FLAGS,		/* of @a: nr labels, with @text between them */
	NODE_SYMBOL,		/* of @a: the label that has its value */
	NODE_CHOICE,		/* @b or @c, as @a is true or not */
};

struct label {
	u64 value;
	const char *text;
};

struct node {
	enum node_kind kind;
	u32 off;
	u32 size;
	u64 value;
	const char *op;
	const char *text;
	const struct node *a;
	const struct node *b;
	const struct node *c;
	const struct label *labels;
	u32 nr;
};

/*
 * One conversion, and the text before it.
 * @letter: d, u, x, s, p or, of a function, f; 0: there is none behind the last text
 * @has_offset: of the function, how far behind its begin
 * @size: bytes of the number that are looked at
 */
struct step {
	const char *text;
	u32 len;
	char letter;
	u8 size;
	u16 width;
	bool is_left;
	bool has_zeroes;
	bool has_prefix;
	bool has_offset;
	const struct node *node;
};

/* @size: the payload holds this many bytes, or more. */
struct print_plan {
	const struct tep_event *event;
	u32 size;
	u32 nr;
	u32 nr_nodes;
	u32 nr_labels;
	struct step steps[PRINT_MAX_STEPS];
	struct node nodes[PRINT_MAX_NODES];
	struct label labels[PRINT_MAX_LABELS];
};

#endif
