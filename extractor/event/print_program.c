// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>

#include "print_program_impl.h"

#define MAX_COUNT	4096	/* of an array's elements that others may read */
#define MAX_WALK	100000	/* nodes that a look at a program visits */

/*
 * @format: the rest of it, which ends at @end
 * @arguments: behind the argument that was taken last
 */
struct reader {
	struct print_program *program;
	const char *format;
	const char *end;
	struct print_parser arguments;
};

static const struct node *next_argument(struct reader *reader)
{
	return print_skip(&reader->arguments, ",") ? print_parse_expression(&reader->arguments) : NULL;
}

/* The byte there, 0 behind the end. */
static char at(const struct reader *reader)
{
	return reader->format < reader->end ? *reader->format : 0;
}

static bool skip(struct reader *reader, char c)
{
	if (!c || at(reader) != c)
		return false;
	reader->format++;
	return true;
}

/* A number, or of "*" an argument that is one; false: too large, or no number. */
static bool read_count(struct reader *reader, u32 most, u32 *ret, const struct node **ret_node)
{
	if (skip(reader, '*')) {
		*ret_node = next_argument(reader);
		return *ret_node && node_is_number(*ret_node);
	}
	for (*ret = 0; isdigit((u8)at(reader)) && *ret <= most; reader->format++)
		*ret = *ret * 10 + at(reader) - '0';
	return *ret <= most;
}

static bool read_sizes(struct reader *reader, struct step *step)
{
	u32 width = 0, precision = 0;

	if (!read_count(reader, PRINT_MAX_WIDTH, &width, &step->width_node))
		return false;
	step->width = width;
	step->precision = -1;
	if (!skip(reader, '.'))
		return true;
	if (!read_count(reader, PRINT_MAX_PRECISION, &precision, &step->precision_node))
		return false;
	step->precision = precision;
	return true;
}

/* How many bytes of the argument count; 0: no kernel writes this. */
static u32 read_length(struct reader *reader)
{
	u32 longs = 0, shorts = 0, long_size = reader->program->long_size;

	while (skip(reader, 'l'))
		longs++;
	while (skip(reader, 'h'))
		shorts++;
	if (longs + shorts > 2 || (longs && shorts))
		return 0;
	if (longs || shorts)
		return shorts ? 4U >> shorts : longs > 1 ? 8 : long_size;
	if (skip(reader, 'L') || skip(reader, 'q'))
		return 8;
	return skip(reader, 'z') || skip(reader, 't') ? long_size : 4;
}

/* The conversion of "%p" and its extension; the kernel ignores what it does not know at its end. */
static bool choose_pointer(struct step *step)
{
	const char *p = step->extension;
	char first = step->extension_len ? p[0] : 0, second = step->extension_len > 1 ? p[1] : 0;

	switch (first) {
	case 0:
	case 'K':
		return step->extension_len <= 1;
	case 'x':
		step->letter = 'P';
		return step->extension_len == 1;
	case 's':
	case 'f':
	case 'S':
	case 'F':
	case 'B':
		step->letter = 'f';
		step->has_offset = first != 's' && first != 'f';
		return true;
	case 'm':
	case 'M':
		step->letter = 'M';
		return second != 'R';
	case 'U':
	case 'h':
		step->letter = first;
		return step->extension_len <= 2;
	case 'I':
		step->letter = second;
		return second == 'S' || (step->extension_len == 2 && (second == '4' || second == '6')) ||
		       (step->extension_len == 3 && second == '6' && p[2] == 'c');
	case 'a':
		step->letter = 'a';
		return step->extension_len <= 2 && (!second || second == 'd' || second == 'p');
	case '4':
		step->letter = 'C';
		return step->extension_len == 3 && !memcmp(p, "4cc", 3);
	default:
		return false;
	}
}

static bool read_letter(struct reader *reader, struct step *step)
{
	step->size = read_length(reader);
	step->letter = at(reader);
	if (!step->size || !step->letter || !strchr("diuxXocsp", step->letter))
		return false;
	reader->format++;
	if (step->letter == 'i')
		step->letter = 'd';
	if (step->letter == 'p') {
		step->size = reader->program->long_size;
		step->extension = reader->format;
		while (isalnum((u8)at(reader)))
			reader->format++;
		step->extension_len = reader->format - step->extension;
		return step->extension_len == reader->format - step->extension &&
		       choose_pointer(step);
	}
	step->is_upper = step->letter == 'X';
	if (step->is_upper)
		step->letter = 'x';
	return true;
}

/* "%-08llx" from behind its per cent sign, and its argument. */
static bool read_conversion(struct reader *reader, struct step *step)
{
	const struct node *node;

	for (; at(reader) && strchr("-+ #0", at(reader)); reader->format++) {
		step->is_left |= at(reader) == '-';
		step->has_zeroes |= at(reader) == '0';
		step->has_prefix |= at(reader) == '#';
		if (at(reader) == '+' || (at(reader) == ' ' && !step->plus))
			step->plus = at(reader);
	}
	if (!read_sizes(reader, step) || !read_letter(reader, step))
		return false;
	node = next_argument(reader);
	if (!node)
		return false;
	if (step->letter == 's')
		step->node = print_as_text(reader->program, node);
	else if (strchr("M46SUhaC", step->letter) ? node_is_array(node) : node_is_number(node))
		step->node = node;
	return step->node;
}

static bool read_step(struct reader *reader)
{
	struct step *step = &reader->program->steps[reader->program->nr];
	const char *sign;

	if (reader->program->nr++ == reader->program->max_steps)
		return false;
	sign = memchr(reader->format, '%', reader->end - reader->format);
	step->text = reader->format;
	step->len = (sign ? sign : reader->end) - step->text;
	reader->format = sign ? sign + 1 : reader->end;
	if (!sign || !skip(reader, '%'))
		return !sign || read_conversion(reader, step);
	step->len++;
	return true;
}

/* All of it, and as many arguments as there are conversions. */
static bool read_format(struct reader *reader)
{
	u32 len;

	struct token *token = &reader->arguments.token;

	if (!print_parse_strings(&reader->arguments, &reader->format, &len))
		return false;
	reader->end = reader->format + len;
	while (reader->format < reader->end)
		if (!read_step(reader))
			return false;
	while (token->kind == TOKEN_NEWLINE)
		token_next(token);
	return token->kind == TOKEN_END;
}

/* What there may be of each: a node is of a word, a string or an operator. */
static struct print_program count_all(const char *print)
{
	struct print_program count = { .max_steps = 1 };
	struct token token = token_first(print);
	const char *p;

	for (p = print; *p; p++)
		count.max_steps += *p == '%';
	for (; token.kind != TOKEN_END; token_next(&token)) {
		count.max_labels += token.kind == TOKEN_SIGN && *token.at == '{';
		count.max_nodes += token.kind != TOKEN_SIGN || !strchr("{},.", *token.at);
	}
	if (count.max_steps > PRINT_MAX_STEPS)
		count.max_steps = PRINT_MAX_STEPS;
	if (count.max_nodes > PRINT_MAX_NODES)
		count.max_nodes = PRINT_MAX_NODES;
	return count;
}

/* All in one piece. */
static struct print_program *new_program(const char *print)
{
	const struct print_program count = count_all(print);
	size_t size = count.max_steps * sizeof(*count.steps) +
		      count.max_nodes * sizeof(*count.nodes) +
		      count.max_labels * sizeof(*count.labels) + strlen(print) + 1;
	struct print_program *program = calloc(1, sizeof(*program) + size);

	if (!program)
		return NULL;
	*program = count;
	program->memory = sizeof(*program) + size;
	program->steps = (struct step *)(program + 1);
	program->nodes = (struct node *)(program->steps + count.max_steps);
	program->labels = (struct label *)(program->nodes + count.max_nodes);
	program->chars = (char *)(program->labels + count.max_labels);
	return program;
}

/* The number of a field that shows an address, or NULL. */
static const char *probe_address(const struct step *step)
{
	bool is_field = step->letter == 'x' && step->node->kind == NODE_FIELD;

	return is_field && !strncmp(step->node->field->name, "__probe_", 8) ?
	       step->node->field->name + 8 : "";
}

/*
 * Formats of kprobes show addresses where the kernel's trace file has functions, and that of a
 * return probe names them in the order of the format: first where the function returned to.
 */
static void name_probes(struct print_program *program)
{
	struct step *steps = program->steps;
	const struct node *first;
	u32 i;

	if (program->nr > 1 && !strcmp(probe_address(&steps[0]), "func") &&
	    !strcmp(probe_address(&steps[1]), "ret_ip")) {
		first = steps[0].node;
		steps[0].node = steps[1].node;
		steps[1].node = first;
	}
	for (i = 0; i < program->nr; i++) {
		const char *name = steps[i].letter ? probe_address(&steps[i]) : "";

		steps[i].has_offset |= !strcmp(name, "ip") || !strcmp(name, "ret_ip");
		steps[i].is_place = !strcmp(name, "ip") || !strcmp(name, "ret_ip") || !strcmp(name, "func");
		if (steps[i].is_place)
			steps[i].letter = 'f';
	}
}

/*
 * Only formats of probes have texts in quotes.  The kernel prints them so, and without quotes
 * "(fault)" of a text that the probe could not read.
 */
static void unquote_texts(struct print_program *program)
{
	struct step *step, *end = program->steps + program->nr;

	for (step = program->steps; step + 1 < end; step++) {
		if (step->letter != 's' || step->node->kind != NODE_DYNAMIC || !step->len ||
		    step->text[step->len - 1] != '"' || !step[1].len || *step[1].text != '"')
			continue;
		step->is_quoted = true;
		step->len--;
		step[1].text++;
		step[1].len--;
	}
}

struct print_program *print_program_new(const struct layout *layout, const char *print,
					u32 long_size, const struct print_names *names)
{
	struct print_program *program = new_program(print);
	struct reader reader = {
		.program = program,
		.arguments = { .program = program, .layout = layout, .token = token_first(print) },
	};

	if (!program)
		return NULL;
	program->names = names;
	program->long_size = long_size;
	if (!read_format(&reader)) {
		free(program);
		return NULL;
	}
	name_probes(program);
	unquote_texts(program);
	return program;
}

void print_program_free(struct print_program *program)
{
	free(program);
}

size_t print_program_memory(const struct print_program *program)
{
	return program->memory;
}

bool print_program_labels(const struct print_program *program, const struct layout_field *field,
			  const struct label **labels, u32 *nr)
{
	const struct node *node, *of;
	u32 i;

	for (i = 0; i < program->nr; i++) {
		node = program->steps[i].node;
		if (!node || node->kind != NODE_SYMBOL)
			continue;
		for (of = node->a; of->kind == NODE_CAST; of = of->a)
			;
		if (of->kind != NODE_FIELD || strcmp(of->field->name, field->name))
			continue;
		*labels = node->labels;
		*nr = node->nr;
		return true;
	}
	return false;
}

/* How many there are of an array: a number of the format, or one of the event that is not large. */
static bool is_small_count(const struct node *node)
{
	while (node->kind == NODE_CAST || (node->kind == NODE_OP && node->op == OP_DIV))
		node = node->a;
	return node->kind == NODE_LENGTH || (node->kind == NODE_FIELD && node->from.size <= 2) ||
	       (node->kind == NODE_CONSTANT && node->value <= MAX_COUNT);
}

/*
 * libtraceevent knows no index but a small number, in no other index and in no condition; it
 * divides by what it is given, and takes a width from any event.
 */
static bool node_is_safe(const struct node *node, bool may_index, u32 *left)
{
	if (!node)
		return true;
	if (!*left)
		return false;
	--*left;
	if (node->kind == NODE_ELEMENT)
		return may_index && node->b->kind == NODE_CONSTANT &&
		       node_is_safe(node->a, false, left);
	if (node->kind == NODE_OP && (node->op == OP_DIV || node->op == OP_MOD) &&
	    (node->b->kind != NODE_CONSTANT || (s64)node->b->value <= 0))
		return false;
	if (node->kind == NODE_LENGTH && node->value)
		return false;
	if ((node->kind == NODE_HEX || node->kind == NODE_INTS) && !is_small_count(node->b))
		return false;
	may_index &= node->kind != NODE_CHOICE && node->kind != NODE_TEXT_CHOICE;
	return node_is_safe(node->a, may_index, left) && node_is_safe(node->b, may_index, left) &&
	       node_is_safe(node->c, may_index, left);
}

bool print_program_is_safe_for_others(const struct print_program *program)
{
	const struct step *step;
	u32 left = MAX_WALK;

	for (step = program->steps; step < program->steps + program->nr; step++) {
		if (step->width_node && step->width_node->kind != NODE_CONSTANT)
			return false;
		if (step->letter == 's' && step->size != 4)
			return false;
		if (!node_is_safe(step->node, true, &left) ||
		    !node_is_safe(step->precision_node, true, &left))
			return false;
	}
	return true;
}
