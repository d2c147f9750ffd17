// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>

#include "print_program_impl.h"

/*
 * @format: the rest of it, which ends at @end
 * @token: what stands behind the argument that was taken last
 */
struct reader {
	struct print_program *plan;
	const char *format;
	const char *end;
	struct token token;
};

static const struct node *next_argument(struct reader *reader)
{
	if (!token_is(&reader->token, ","))
		return NULL;
	token_next(&reader->token);
	return print_parse_argument(reader->plan, &reader->token);
}

static const struct node *next_number(struct reader *reader)
{
	const struct node *node = next_argument(reader);

	return node && node_is_number(node) ? node : NULL;
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

static void read_flags(struct reader *reader, struct step *step)
{
	for (; at(reader) && strchr("-+ #0", at(reader)); reader->format++) {
		step->is_left |= at(reader) == '-';
		step->has_zeroes |= at(reader) == '0';
		step->has_prefix |= at(reader) == '#';
		if (at(reader) == '+' || (at(reader) == ' ' && !step->plus))
			step->plus = at(reader);
	}
}

/* A number, or of "*" an argument that is one; false: too large, or no number. */
static bool read_count(struct reader *reader, u32 most, u32 *ret, const struct node **ret_node)
{
	if (skip(reader, '*'))
		return (*ret_node = next_number(reader)) != NULL;
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
	u32 longs = 0, shorts = 0, long_size = reader->plan->long_size;

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

/* Letters and digits behind "%p" are the kernel's, and those that it does not know are left out. */
static bool choose_pointer(struct step *step, const char *p, size_t len)
{
	char first = len ? *p : 0;

	step->letter = 'p';
	step->how = len > 1 ? p[1] : 0;
	if (first == 'I' && (step->how == '4' || step->how == '6')) {
		step->letter = step->how;
		step->how = len > 2 ? p[2] : 0;
		return (!step->how || (step->letter == '6' && step->how == 'c')) && len <= 3;
	}
	if (first && strchr("sSfF", first)) {
		step->letter = 'f';
		step->has_offset = first == 'S' || first == 'F';
		return len == 1;
	}
	if (first && strchr("mM", first)) {
		step->letter = 'M';
		step->is_upper = first == 'M';
		return step->how != 'F' && step->how != 'R';
	}
	if (first == 'U' || first == 'h') {
		step->letter = first;
		return len <= 2;
	}
	if (first == 'x')
		step->letter = 'P';
	return !first || (len == 1 && (first == 'K' || first == 'x'));
}

static bool read_pointer(struct reader *reader, struct step *step)
{
	const char *start = reader->format;

	while (isalnum((u8)at(reader)))
		reader->format++;
	return choose_pointer(step, start, reader->format - start);
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
		step->size = reader->plan->long_size;
		return read_pointer(reader, step);
	}
	step->is_upper = step->letter == 'X';
	if (step->is_upper)
		step->letter = 'x';
	return true;
}

static bool wants(const struct step *step, const struct node *node)
{
	if (step->letter == 's')
		return node_is_text(node);
	if (strchr("M46Uh", step->letter))
		return node_is_array(node);
	return node_is_number(node);
}

/* "%-08llx" from behind its per cent sign, and its argument. */
static bool read_conversion(struct reader *reader, struct step *step)
{
	read_flags(reader, step);
	if (!read_sizes(reader, step) || !read_letter(reader, step))
		return false;
	step->node = next_argument(reader);
	return step->node && wants(step, step->node);
}

static bool read_step(struct reader *reader)
{
	struct step *step = &reader->plan->steps[reader->plan->nr];
	const char *sign;

	if (reader->plan->nr++ == reader->plan->max_steps)
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

	if (!print_parse_strings(reader->plan, &reader->token, &reader->format, &len))
		return false;
	reader->end = reader->format + len;
	while (reader->format < reader->end)
		if (!read_step(reader))
			return false;
	while (reader->token.kind == TOKEN_NEWLINE)
		token_next(&reader->token);
	return reader->token.kind == TOKEN_END;
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
static struct print_program *new_plan(const char *print)
{
	const struct print_program count = count_all(print);
	size_t size = count.max_steps * sizeof(*count.steps) +
		      count.max_nodes * sizeof(*count.nodes) +
		      count.max_labels * sizeof(*count.labels) + strlen(print) + 1;
	struct print_program *plan = calloc(1, sizeof(*plan) + size);

	if (!plan)
		return NULL;
	*plan = count;
	plan->steps = (struct step *)(plan + 1);
	plan->nodes = (struct node *)(plan->steps + count.max_steps);
	plan->labels = (struct label *)(plan->nodes + count.max_nodes);
	plan->chars = (char *)(plan->labels + count.max_labels);
	return plan;
}

struct print_program *print_program_new(const struct tep_event *event, const char *print)
{
	struct print_program *plan = new_plan(print);
	struct reader reader = { .plan = plan, .token = token_first(print) };

	if (!plan)
		return NULL;
	plan->event = event;
	plan->long_size = tep_get_long_size(event->tep) == 4 ? 4 : 8;
	if (read_format(&reader))
		return plan;
	free(plan);
	return NULL;
}

void print_program_free(struct print_program *plan)
{
	free(plan);
}
