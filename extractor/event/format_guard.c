// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_guard.h"

#include <stdlib.h>
#include <string.h>

#include "format_conversion.h"

/* What the library frees with the event's arguments. */
static struct tep_print_arg *new_arg(enum tep_print_arg_type type)
{
	struct tep_print_arg *arg = calloc(1, sizeof(*arg));

	if (arg)
		arg->type = type;
	return arg;
}

/* Of an argument that keeps its place. */
static struct tep_print_arg *move_arg(struct tep_print_arg *arg)
{
	struct tep_print_arg *moved = new_arg(arg->type);

	if (!moved)
		return NULL;
	*moved = *arg;
	moved->next = NULL;
	return moved;
}

static bool make_op(struct tep_print_arg *arg, const char *op,
		    struct tep_print_arg *left, struct tep_print_arg *right)
{
	arg->type = TEP_PRINT_OP;
	arg->op.op = strdup(op);
	arg->op.left = left;
	arg->op.right = right;
	return arg->op.op && left && right;
}

/*
 * "(u16)": the library takes a precision below zero for none, and what stands behind the text
 * on the stack for the text.  No event has more of a text than that.
 */
static bool guard_precision(struct tep_print_arg *arg)
{
	struct tep_print_arg *item = move_arg(arg);

	if (!item)
		return false;
	arg->type = TEP_PRINT_TYPE;
	arg->typecast.type = strdup("u16");
	arg->typecast.item = item;
	return arg->typecast.type;
}

/* "len ? mask : """: of a mask without a byte the library asks for 3 GiB. */
static bool guard_mask(struct tep_event *event, struct tep_print_arg *arg)
{
	struct tep_print_arg *mask = move_arg(arg);
	struct tep_print_arg *len = new_arg(TEP_PRINT_DYNAMIC_ARRAY_LEN);
	struct tep_print_arg *none = new_arg(TEP_PRINT_ATOM);
	struct tep_print_arg *both = new_arg(TEP_PRINT_OP);

	if (!mask || !len || !none || !both)
		return false;
	len->dynarray.field = tep_find_any_field(event, mask->bitmask.bitmask);
	none->atom.atom = strdup("");
	return none->atom.atom && make_op(both, ":", mask, none) && make_op(arg, "?", len, both);
}

bool format_guard_print(struct tep_event *event)
{
	struct format_conversion conversion = format_conversions(event);
	struct tep_print_arg *arg;

	while (format_conversion_next(&conversion))
		if (conversion.star && conversion.is_precision && !guard_precision(conversion.star))
			return false;
	for (arg = event->print_fmt.args; arg; arg = arg->next)
		if (arg->type == TEP_PRINT_CPUMASK && !guard_mask(event, arg))
			return false;
	return true;
}
