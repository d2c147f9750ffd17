// SPDX-License-Identifier: GPL-2.0-only
/*
 * From a filter to comparisons.  The kernel has read the text before, so it is right; what is not
 * understood here, the kernel evaluates.
 *
 * An expression that was read has two lists of exits: branches that leave it because it holds, and
 * because it does not.  A list goes through the branches themselves, until they lead somewhere.
 */
#include <linux/ctype.h>
#include <linux/kernel.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/trace_events.h>
#include <epitaph/record.h>
#include "events/fields.h"
#include "program.h"

#define NR_PARENS	8	/* one in the other */
#define NO_EXIT		0xff	/* the end of a list */

/* Heads of the lists: comparison * 2 + branch. */
struct exits {
	u8 yes, no;
};

struct compiler {
	const struct epitaph_event *ev;
	struct epitaph_program *program;
	const char *at;
	unsigned int parens;
};

static bool read_or(struct compiler *compiler, struct exits *exits);

/* --- branches -------------------------------------------------------------------- */

static u8 *branch(struct epitaph_program *program, u8 exit)
{
	struct epitaph_comparison *c = &program->list[exit / 2];

	return exit % 2 ? &c->yes : &c->no;
}

static void lead(struct epitaph_program *program, u8 exit, u8 where)
{
	while (exit != NO_EXIT) {
		u8 *at = branch(program, exit);

		exit = *at;
		*at = where;
	}
}

static u8 join(struct epitaph_program *program, u8 a, u8 b)
{
	u8 end = a;

	if (a == NO_EXIT)
		return b;
	while (*branch(program, end) != NO_EXIT)
		end = *branch(program, end);
	*branch(program, end) = b;
	return a;
}

static void join_and(struct epitaph_program *program, struct exits *left, struct exits right)
{
	left->yes = right.yes;
	left->no = join(program, left->no, right.no);
}

static void join_or(struct epitaph_program *program, struct exits *left, struct exits right)
{
	left->yes = join(program, left->yes, right.yes);
	left->no = right.no;
}

/* --- comparisons ------------------------------------------------------------------ */

static bool add(struct compiler *compiler, const struct epitaph_comparison *c, struct exits *exits)
{
	struct epitaph_program *program = compiler->program;
	u8 i = program->nr;

	if (i == EPITAPH_COMPARISONS)
		return false;
	program->list[i] = *c;
	program->list[i].yes = program->list[i].no = NO_EXIT;
	program->nr++;
	*exits = (struct exits){ .yes = i * 2 + 1, .no = i * 2 };
	return true;
}

static u64 mask_of(u32 bytes)
{
	return bytes >= 8 ? ~0ULL : (1ULL << bytes * 8) - 1;
}

/* As the kernel, @value is cut to the size of the field. */
static bool add_number(struct compiler *compiler, const struct epitaph_field *field, u32 off,
		       const char *op, u64 value, struct exits *exits)
{
	u64 mask = mask_of(field->size), least = field->is_signed ? (mask >> 1) + 1 : 0;
	struct epitaph_comparison c = { .at = off, .mask = mask };
	bool inverts = !strcmp(op, "!=") || !strcmp(op, ">") || !strcmp(op, "<") || *op == '&';

	if (*op == '&') {
		c.mask = value & mask;
	} else if (!strcmp(op, "<=") || !strcmp(op, ">")) {
		c.low = least;
		c.width = (value - least) & mask;
	} else if (!strcmp(op, ">=") || !strcmp(op, "<")) {
		c.low = value;
		c.width = (least - 1 - value) & mask;
	} else if (!strcmp(op, "==") || !strcmp(op, "!=")) {
		c.low = value;
	} else {
		return false;
	}
	if (!add(compiler, &c, exits))
		return false;
	if (inverts)
		swap(exits->yes, exits->no);
	return true;
}

/* The first @n bytes of the field are those of @text. */
static bool add_text(struct compiler *compiler, u32 off, const char *text, u32 n, struct exits *exits)
{
	u32 i;

	for (i = 0; i < n; i += 8) {
		u32 bytes = min(n - i, 8U);
		struct epitaph_comparison c = { .at = off + i, .mask = mask_of(bytes) };
		struct exits more;

		memcpy(&c.low, text + i, bytes);
		if (!add(compiler, &c, i ? &more : exits))
			return false;
		if (i) {
			lead(compiler->program, exits->yes, compiler->program->nr - 1);
			join_and(compiler->program, exits, more);
		}
	}
	return n;
}

/* The text that the field has the place of: all of it, or how it begins. */
static bool add_long_text(struct compiler *compiler, u32 off, const char *text, u32 letters,
			  bool begins, struct exits *exits)
{
	struct epitaph_program *program = compiler->program;
	u8 *copy = program->letters + program->nr_letters;
	struct epitaph_comparison c = {
		.text = copy, .letters = letters, .begins = begins, .at = off, .is_text = true,
	};

	/* A whole word is loaded where the text has ended. */
	program->nr_letters += round_up(letters + 1, 8) + 8;
	if (program->nr_letters > sizeof(program->letters))
		return false;
	memcpy(copy, text, letters);
	return add(compiler, &c, exits);
}

/* --- words ------------------------------------------------------------------------ */

static bool skip(struct compiler *compiler, const char *word)
{
	compiler->at = skip_spaces(compiler->at);
	if (!str_has_prefix(compiler->at, word))
		return false;
	compiler->at += strlen(word);
	return true;
}

static const struct epitaph_field *read_field(struct compiler *compiler, u32 *off)
{
	const struct epitaph_field *field;
	const char *name = compiler->at = skip_spaces(compiler->at);
	size_t n = 0;

	while (isalnum(name[n]) || name[n] == '_')
		n++;
	compiler->at += n;
	epitaph_for_each_field(field, *off, compiler->ev->fields)
		if (strlen(field->name) == n && !memcmp(field->name, name, n))
			return field;
	return NULL;
}

static const char *read_operator(struct compiler *compiler)
{
	static const char *const operators[] = { "==", "!=", "<=", ">=", "<", ">", "~", "&" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(operators); i++)
		if (skip(compiler, operators[i]))
			return operators[i];
	return NULL;
}

static bool read_number(struct compiler *compiler, const struct epitaph_field *field, u64 *value)
{
	char word[24];
	size_t n = 0;

	compiler->at = skip_spaces(compiler->at);
	while (n < sizeof(word) - 1 && (isalnum(compiler->at[n]) || (!n && *compiler->at == '-')))
		n++;
	memcpy(word, compiler->at, n);
	word[n] = '\0';
	compiler->at += n;
	return !(field->is_signed ? kstrtoll(word, 0, (s64 *)value) : kstrtoull(word, 0, value));
}

/* In quotes; @n: its letters. */
static const char *read_text(struct compiler *compiler, size_t *n)
{
	const char *text, *end;

	compiler->at = skip_spaces(compiler->at);
	if (*compiler->at != '"' && *compiler->at != '\'')
		return NULL;
	text = compiler->at + 1;
	end = strchr(text, *compiler->at);
	if (!end)
		return NULL;
	compiler->at = end + 1;
	*n = end - text;
	return text;
}

/* The field has the place of what is of any length. */
static bool is_elsewhere(const struct epitaph_field *field)
{
	return str_has_prefix(field->type, "__data_loc ") || str_has_prefix(field->type, "__rel_loc ");
}

/* "text", or with ~ "text*": no other glob. */
static bool read_text_comparison(struct compiler *compiler, const struct epitaph_field *field,
				 u32 off, const char *op, struct exits *exits)
{
	bool is_long = is_elsewhere(field);
	char word[128] = "";
	const char *text;
	bool begins;
	size_t n;

	text = read_text(compiler, &n);
	if (!text || n >= sizeof(word) || !strcmp(op, "<") || !strcmp(op, ">"))
		return false;
	begins = *op == '~' && n && text[n - 1] == '*';
	n -= begins;
	memcpy(word, text, n);
	/* A pattern may begin with '!', or be a number. */
	if (*op == '~' && (strpbrk(word, "*?[\\") || (!isalpha(*word) && *word != '_')))
		return false;
	if (begins && (!n || (n > field->size && !is_long)))
		return false;
	/* The end counts too, where there is room for it. */
	if (is_long ? !add_long_text(compiler, off, word, n, begins, exits) :
	    !add_text(compiler, off, word, begins ? n : min_t(u32, n + 1, field->size), exits))
		return false;
	if (!strcmp(op, "!="))
		swap(exits->yes, exits->no);
	return true;
}

static bool is_text(const struct epitaph_field *field)
{
	return strstr(field->type, "char") && strchr(field->type, '[');
}

static bool is_number(const struct epitaph_field *field)
{
	return !strchr(field->type, '[') && !strstr(field->type, "char *") &&
	       is_power_of_2(field->size) && field->size <= 8;
}

static bool read_comparison(struct compiler *compiler, struct exits *exits)
{
	u32 off;
	const struct epitaph_field *field = read_field(compiler, &off);
	const char *op = field ? read_operator(compiler) : NULL;
	u64 value;

	if (!op || field->filter_type != FILTER_OTHER ||
	    str_has_prefix(field->type, "__rel_loc "))
		return false;
	if (is_text(field))
		return read_text_comparison(compiler, field, off, op, exits);
	return !is_elsewhere(field) && is_number(field) && read_number(compiler, field, &value) &&
	       add_number(compiler, field, off, op, value, exits);
}

/* --- expressions ------------------------------------------------------------------- */

static bool read_operand(struct compiler *compiler, struct exits *exits)
{
	if (!skip(compiler, "("))
		return read_comparison(compiler, exits);
	return ++compiler->parens <= NR_PARENS && read_or(compiler, exits) && skip(compiler, ")") &&
	       compiler->parens--;
}

/* Any number of "!": in a loop, as the stack is the kernel's. */
static bool read_one(struct compiler *compiler, struct exits *exits)
{
	bool inverts = false;

	while (skip(compiler, "!"))
		inverts = !inverts;
	if (!read_operand(compiler, exits))
		return false;
	if (inverts)
		swap(exits->yes, exits->no);
	return true;
}

static bool read_and(struct compiler *compiler, struct exits *exits)
{
	struct exits more;

	if (!read_one(compiler, exits))
		return false;
	while (skip(compiler, "&&")) {
		lead(compiler->program, exits->yes, compiler->program->nr);
		if (!read_one(compiler, &more))
			return false;
		join_and(compiler->program, exits, more);
	}
	return true;
}

static bool read_or(struct compiler *compiler, struct exits *exits)
{
	struct exits more;

	if (!read_and(compiler, exits))
		return false;
	while (skip(compiler, "||")) {
		lead(compiler->program, exits->no, compiler->program->nr);
		if (!read_and(compiler, &more))
			return false;
		join_or(compiler->program, exits, more);
	}
	return true;
}

struct epitaph_program *epitaph_program_new(const struct epitaph_event *ev, const char *text)
{
	struct compiler compiler = { .ev = ev, .at = text };
	struct exits exits;

	/* 8 bytes are loaded as a number whose lowest byte comes first. */
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN) || ev->size > EPITAPH_STACK_BYTES)
		return NULL;
	compiler.program = kzalloc(sizeof(*compiler.program), GFP_KERNEL);
	if (!compiler.program)
		return NULL;
	if (!read_or(&compiler, &exits) || *skip_spaces(compiler.at)) {
		kfree(compiler.program);
		return NULL;
	}
	lead(compiler.program, exits.yes, EPITAPH_PASS);
	lead(compiler.program, exits.no, EPITAPH_REJECT);
	return compiler.program;
}
