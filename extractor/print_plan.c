// SPDX-License-Identifier: GPL-2.0-or-later
#include <ctype.h>
#include <stdlib.h>

#include "formats.h"
#include "print_plan_impl.h"

static struct node *new_node(struct print_plan *plan, enum node_kind kind)
{
	if (plan->nr_nodes == PRINT_MAX_NODES)
		return NULL;
	plan->nodes[plan->nr_nodes].kind = kind;
	return &plan->nodes[plan->nr_nodes++];
}

/* What is not a number of digits, such as the name of a flag, is the library's. */
static bool take_number(const char *text, u64 *ret)
{
	char *end;

	if (!text || !isdigit((u8)*text))
		return false;
	*ret = strtoull(text, &end, 0);
	return strspn(end, "uUlL") == strlen(end);
}

static const struct node *constant(struct print_plan *plan, const char *text)
{
	u64 value;
	struct node *node = take_number(text, &value) ? new_node(plan, NODE_CONSTANT) : NULL;

	if (node)
		node->value = value;
	return node;
}

/* Of what lies behind what all events have. */
static const struct node *place(struct print_plan *plan, enum node_kind kind,
				const struct tep_format_field *field)
{
	struct node *node = field->offset < FORMATS_COMMON ? NULL : new_node(plan, kind);

	if (!node)
		return NULL;
	node->off = field->offset - FORMATS_COMMON;
	node->size = field->size;
	if (node->off + node->size > plan->size)
		plan->size = node->off + node->size;
	return node;
}

static const struct tep_format_field *field_of(const struct print_plan *plan,
					       const struct tep_print_arg *arg)
{
	if (arg->field.field)
		return arg->field.field;
	return tep_find_any_field((struct tep_event *)plan->event, arg->field.name);
}

static const struct node *number_field(struct print_plan *plan, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field = field_of(plan, arg);

	if (!field || !field->size || field->size > 8 || (field->size & (field->size - 1)))
		return NULL;
	return place(plan, NODE_FIELD, field);
}

static bool is_among(const char *word, const char *const *words)
{
	for (; *words; words++)
		if (!strcmp(word, *words))
			return true;
	return false;
}

static const struct node *number(struct print_plan *plan, const struct tep_print_arg *arg);

static const struct node *operation(struct print_plan *plan, const struct tep_print_arg *arg)
{
	static const char *const ops[] = {
		"|", "||", "&", "&&", "<", "<<", "<=", ">", ">>", ">=", "==", "!=", "-", "+", "*",
		NULL,
	};
	struct node *node = is_among(arg->op.op, ops) ? new_node(plan, NODE_OP) : NULL;

	if (!node)
		return NULL;
	node->op = arg->op.op;
	node->a = number(plan, arg->op.left);
	node->b = node->a ? number(plan, arg->op.right) : NULL;
	return node->b ? node : NULL;
}

/* A cast to all of 64 bits, so that nothing is cut or extended. */
static const struct node *cast(struct print_plan *plan, const struct tep_print_arg *arg)
{
	static const char *const types[] = {
		"u64", "s64", "__u64", "__s64", "unsigned long long", "long long", "unsigned long",
		"long", "void *", NULL,
	};

	return is_among(arg->typecast.type, types) ? number(plan, arg->typecast.item) : NULL;
}

static const struct node *number(struct print_plan *plan, const struct tep_print_arg *arg)
{
	if (!arg)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return constant(plan, arg->atom.atom);
	case TEP_PRINT_FIELD:
		return number_field(plan, arg);
	case TEP_PRINT_TYPE:
		return cast(plan, arg);
	case TEP_PRINT_OP:
		return operation(plan, arg);
	default:
		return NULL;
	}
}

/*
 * Names that the kernel left in a format are -1 to the library, which no value is but that;
 * some of softirqs and hrtimers it knows, and those stay its own.
 */
static bool take_name(const char *text, u64 *ret)
{
	if (!text || !*text || isdigit((u8)*text) || strstr(text, "SOFTIRQ") ||
	    strstr(text, "RESTART"))
		return false;
	*ret = ~0ULL;
	return true;
}

static bool take_value(const struct node *node, const char *text, u64 *ret)
{
	if (node->kind == NODE_SYMBOL && take_name(text, ret))
		return true;
	return take_number(text, ret) && !(*ret >> 63);
}

static bool take_labels(struct print_plan *plan, struct node *node,
			const struct tep_print_flag_sym *from)
{
	node->labels = &plan->labels[plan->nr_labels];
	for (; from; from = from->next) {
		struct label *label = &plan->labels[plan->nr_labels];

		if (plan->nr_labels == PRINT_MAX_LABELS ||
		    !take_value(node, from->value, &label->value) || !from->str)
			return false;
		label->text = from->str;
		plan->nr_labels++;
		node->nr++;
	}
	return true;
}

static const struct node *labelled(struct print_plan *plan, enum node_kind kind,
				   const struct tep_print_arg *of,
				   const struct tep_print_flag_sym *labels, const char *delim)
{
	struct node *node = new_node(plan, kind);

	if (!node)
		return NULL;
	node->text = delim ? delim : "";
	node->a = number(plan, of);
	return node->a && take_labels(plan, node, labels) ? node : NULL;
}

static const struct node *array(struct print_plan *plan, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field = field_of(plan, arg);

	if (!field || !field->size || !(field->flags & TEP_FIELD_IS_ARRAY) ||
	    (field->flags & TEP_FIELD_IS_DYNAMIC))
		return NULL;
	return place(plan, NODE_ARRAY, field);
}

/* __get_str(): from the start of the event, or from behind the word itself. */
static const struct node *dynamic(struct print_plan *plan, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field = arg->string.field;
	struct node *node;

	if (!field)
		field = tep_find_any_field((struct tep_event *)plan->event, arg->string.string);
	if (!field || field->size != 4 || field->offset < FORMATS_COMMON)
		return NULL;
	node = new_node(plan, NODE_DYNAMIC);
	if (!node)
		return NULL;
	node->off = field->offset - FORMATS_COMMON;
	node->value = field->flags & TEP_FIELD_IS_RELATIVE ? field->offset + field->size : 0;
	if (node->off + 4 > plan->size)
		plan->size = node->off + 4;
	return node;
}

static const struct node *word(struct print_plan *plan, const char *text)
{
	struct node *node = text ? new_node(plan, NODE_TEXT) : NULL;

	if (node)
		node->text = text;
	return node;
}

static const struct node *text(struct print_plan *plan, const struct tep_print_arg *arg);

/* "condition ? text : text". */
static const struct node *choice(struct print_plan *plan, const struct tep_print_arg *arg)
{
	const struct tep_print_arg *both = arg->op.right;
	struct node *node;

	if (strcmp(arg->op.op, "?") || !both || both->type != TEP_PRINT_OP)
		return NULL;
	node = new_node(plan, NODE_CHOICE);
	if (!node)
		return NULL;
	node->a = number(plan, arg->op.left);
	node->b = node->a ? text(plan, both->op.left) : NULL;
	node->c = node->b ? text(plan, both->op.right) : NULL;
	return node->c ? node : NULL;
}

static const struct node *text(struct print_plan *plan, const struct tep_print_arg *arg)
{
	if (!arg)
		return NULL;
	switch (arg->type) {
	case TEP_PRINT_ATOM:
		return word(plan, arg->atom.atom);
	case TEP_PRINT_FIELD:
		return array(plan, arg);
	case TEP_PRINT_STRING:
		return dynamic(plan, arg);
	case TEP_PRINT_FLAGS:
		return labelled(plan, NODE_FLAGS, arg->flags.field, arg->flags.flags,
				arg->flags.delim);
	case TEP_PRINT_SYMBOL:
		return labelled(plan, NODE_SYMBOL, arg->symbol.field, arg->symbol.symbols, NULL);
	case TEP_PRINT_OP:
		return choice(plan, arg);
	default:
		return NULL;
	}
}

/* "%p", "%ps" and what is spelt like them; of nothing else that a kernel knows behind "%p". */
static const char *take_pointer(struct step *step, const char *p)
{
	if (*p && strchr("sSfF", *p)) {
		step->letter = 'f';
		step->has_offset = *p == 'S' || *p == 'F';
		p++;
	} else {
		step->letter = 'p';
	}
	return isalnum((u8)*p) ? NULL : p;
}

/* "%-08llx" from behind its per cent sign; NULL: not one that is known here. */
static const char *take_conversion(struct step *step, const char *p)
{
	u32 longs = 0, shorts = 0;

	if (*p == 'p')
		return take_pointer(step, p + 1);
	for (; *p && strchr("-0#", *p); p++) {
		step->is_left |= *p == '-';
		step->has_zeroes |= *p == '0';
		step->has_prefix |= *p == '#';
	}
	for (; isdigit((u8)*p) && step->width <= PRINT_MAX_WIDTH; p++)
		step->width = step->width * 10 + (*p - '0');
	for (; *p == 'l'; p++)
		longs++;
	for (; *p == 'h'; p++)
		shorts++;
	if (step->width > PRINT_MAX_WIDTH || longs > 2 || shorts > 2 || (longs && shorts) ||
	    (step->is_left && step->has_zeroes) || !*p || !strchr("duxis", *p))
		return NULL;
	step->letter = *p == 'i' ? 'd' : *p;
	step->size = longs ? 8 : shorts ? 4 >> shorts : 4;
	if (step->letter == 's' ? longs || shorts || step->has_zeroes || step->has_prefix :
				  step->has_prefix && step->letter != 'x')
		return NULL;
	return p + 1;
}

static bool take_step(struct print_plan *plan, const char **format,
		      const struct tep_print_arg **arg)
{
	struct step *step = &plan->steps[plan->nr];
	const char *p = *format;

	step->text = p;
	step->len = strcspn(p, "%\\");
	p += step->len;
	if (*p == '%')
		p = take_conversion(step, p + 1);
	else if (*p)
		return false;
	if (!p || (step->letter && !*arg))
		return false;
	if (step->letter) {
		step->node = step->letter == 's' ? text(plan, *arg) : number(plan, *arg);
		*arg = (*arg)->next;
		if (!step->node)
			return false;
	}
	plan->nr++;
	*format = p;
	return true;
}

struct print_plan *print_plan_new(const struct tep_event *event)
{
	const struct tep_print_arg *arg = event->print_fmt.args;
	const char *format = event->print_fmt.format;
	struct print_plan *plan = calloc(1, sizeof(*plan));

	if (!plan)
		return NULL;
	plan->event = event;
	while (*format && plan->nr < PRINT_MAX_STEPS && take_step(plan, &format, &arg))
		;
	if (!*format && event->tep && tep_get_long_size(event->tep) == 8)
		return plan;
	free(plan);
	return NULL;
}

void print_plan_free(struct print_plan *plan)
{
	free(plan);
}
