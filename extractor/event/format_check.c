// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_check.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "region/subbuf.h"
#include "format_conversion.h"

#define MAX_OPS		2048	/* each may be a level of recursion */
#define MAX_WIDTH	3	/* digits of a number in the print format's strings */
#define MAX_OFFSET	(SUBBUF_MAX + 8)
#define MAX_INDEX	4096

/* Where a dynamic one lies takes 4 bytes, 8 in a synthetic event.  Of 2 the library makes a length of its own, up to 4 GiB. */
static bool place_is_sane(const struct tep_format_field *field)
{
	return !(field->flags & TEP_FIELD_IS_DYNAMIC) || field->size == 4 || field->size == 8;
}

static bool field_is_sane(const struct tep_format_field *field)
{
	return place_is_sane(field) && field->offset >= 0 && field->size >= 0 &&
	       field->offset <= MAX_OFFSET && field->size <= MAX_OFFSET - field->offset &&
	       field->arraylen <= MAX_OFFSET && field->elementsize <= MAX_OFFSET;
}

/* recording_printk()'s binary arguments: the library asks for these by name, and follows what it got. */
static bool bprint_is_sane(struct tep_event *event)
{
	return !(event->flags & TEP_EVENT_FL_ISBPRINT) ||
	       (tep_find_field(event, "ip") && tep_find_field(event, "fmt") && tep_find_field(event, "buf"));
}

bool format_fields_are_sane(struct tep_event *event)
{
	const struct tep_format_field *field;
	int n = 0;

	if (!bprint_is_sane(event))
		return false;
	for (field = event->format.common_fields; field; field = field->next)
		if (!field_is_sane(field) || !field->size || ++n > 64)
			return false;
	for (field = event->format.fields; field; field = field->next)
		if (!field_is_sane(field) || ++n > 256)
			return false;
	return true;
}

/* Widths and precisions: nobody needs four digits. */
static bool widths_are_sane(const char *format)
{
	u32 digits = 0;

	for (; *format; format++) {
		digits = isdigit((u8)*format) ? digits + 1 : 0;
		if (digits > MAX_WIDTH)
			return false;
	}
	return true;
}

static bool arg_is_sane(const struct tep_event *event, const struct tep_print_arg *arg, u32 depth);

/* __get_str() and its like take what any field has for a place and a length. */
static bool is_dynamic(const struct tep_format_field *field)
{
	return field && (field->flags & TEP_FIELD_IS_DYNAMIC);
}

static bool name_is_dynamic(const struct tep_event *event, const char *name)
{
	return is_dynamic(tep_find_any_field((struct tep_event *)event, name));
}

/* Asked for the length alone of a relative one, the library tells also where it lies: to a null pointer. */
static bool has_length(const struct tep_format_field *field)
{
	return is_dynamic(field) && !(field->flags & TEP_FIELD_IS_RELATIVE);
}

/* One that format_guard.h knows of: not within another argument. */
static bool mask_is_sane(const struct tep_event *event, const char *name, u32 depth)
{
	return depth == 1 && has_length(tep_find_any_field((struct tep_event *)event, name));
}

/* A number of the format's own, or one of at most 16 bits of the event's. */
static bool is_bounded(const struct tep_event *event, const struct tep_print_arg *arg)
{
	const struct tep_format_field *field;

	if (arg->type == TEP_PRINT_TYPE)
		return is_bounded(event, arg->typecast.item);
	if (arg->type == TEP_PRINT_ATOM)
		return strtoull(arg->atom.atom, NULL, 0) <= MAX_INDEX;
	if (arg->type == TEP_PRINT_DYNAMIC_ARRAY_LEN)
		return has_length(arg->dynarray.field);
	if (arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "/"))
		return is_bounded(event, arg->op.left);
	if (arg->type != TEP_PRINT_FIELD)
		return false;
	field = arg->field.field;
	if (!field)
		field = tep_find_any_field((struct tep_event *)event, arg->field.name);
	return field && field->size <= 2;
}

/* Nothing that an event decides: the library divides by zero as well as by -1. */
static bool is_divisor(const struct tep_print_arg *arg)
{
	if (arg->type == TEP_PRINT_TYPE)
		return is_divisor(arg->typecast.item);
	return arg->type == TEP_PRINT_ATOM && (s64)strtoull(arg->atom.atom, NULL, 0) > 0;
}

static bool op_is_sane(const struct tep_event *event, const struct tep_print_arg *arg, u32 depth)
{
	if (!strcmp(arg->op.op, "[") && !is_bounded(event, arg->op.right))
		return false;
	if (strchr("/%", *arg->op.op) && !is_divisor(arg->op.right))
		return false;
	return arg_is_sane(event, arg->op.left, depth) && arg_is_sane(event, arg->op.right, depth);
}

static bool array_is_sane(const struct tep_event *event, const struct tep_print_arg *field,
			  const struct tep_print_arg *count, u32 depth)
{
	if (field->type != TEP_PRINT_FIELD && field->type != TEP_PRINT_DYNAMIC_ARRAY)
		return false;
	return is_bounded(event, count) && arg_is_sane(event, count, depth) && arg_is_sane(event, field, depth);
}

static bool list_is_sane(const struct tep_event *event, const struct tep_print_arg *arg, u32 depth)
{
	u32 n = 0;

	for (; arg; arg = arg->next)
		if (!arg_is_sane(event, arg, depth) || ++n > 128)
			return false;
	return true;
}

static bool arg_is_sane(const struct tep_event *event, const struct tep_print_arg *arg, u32 depth)
{
	if (!arg)
		return true;
	if (depth++ > MAX_OPS)
		return false;
	switch (arg->type) {
	case TEP_PRINT_FLAGS:
		return arg_is_sane(event, arg->flags.field, depth);
	case TEP_PRINT_SYMBOL:
		return arg_is_sane(event, arg->symbol.field, depth);
	case TEP_PRINT_HEX:
	case TEP_PRINT_HEX_STR:
		return array_is_sane(event, arg->hex.field, arg->hex.size, depth);
	case TEP_PRINT_INT_ARRAY:
		return array_is_sane(event, arg->int_array.field, arg->int_array.count, depth) &&
		       arg->int_array.el_size->type == TEP_PRINT_ATOM;
	case TEP_PRINT_TYPE:
		return arg_is_sane(event, arg->typecast.item, depth);
	case TEP_PRINT_OP:
		return op_is_sane(event, arg, depth);
	case TEP_PRINT_FUNC:
		return list_is_sane(event, arg->func.args, depth);
	case TEP_PRINT_STRING:
		return name_is_dynamic(event, arg->string.string);
	case TEP_PRINT_BITMASK:
		return name_is_dynamic(event, arg->bitmask.bitmask);
	case TEP_PRINT_CPUMASK:
		return mask_is_sane(event, arg->bitmask.bitmask, depth);
	case TEP_PRINT_DYNAMIC_ARRAY:
		return is_dynamic(arg->dynarray.field);
	case TEP_PRINT_DYNAMIC_ARRAY_LEN:
		return has_length(arg->dynarray.field);
	default:
		return true;
	}
}

static bool is_small(const struct tep_print_arg *arg)
{
	if (arg->type == TEP_PRINT_TYPE)
		return is_small(arg->typecast.item);
	return arg->type == TEP_PRINT_ATOM && strtoull(arg->atom.atom, NULL, 0) <= 64;
}

/* Also "(int)sizeof(pteval_t) * 2", as events of Xen have it. */
static bool is_width(const struct tep_event *event, const struct tep_print_arg *arg)
{
	if (arg->type == TEP_PRINT_TYPE)
		return is_width(event, arg->typecast.item);
	if (arg->type == TEP_PRINT_OP && !strcmp(arg->op.op, "*"))
		return is_small(arg->op.left) && is_small(arg->op.right);
	return is_bounded(event, arg);
}

/*
 * The library pads to what an event says, up to 2 GiB, and knows texts of wide characters.
 * How much of a text is shown may be any number.
 */
static bool conversion_is_sane(const struct tep_event *event, const struct format_conversion *conversion)
{
	if (conversion->kind == 's' && conversion->is_long)
		return false;
	if (!conversion->star || (conversion->kind == 's' && conversion->is_precision))
		return true;
	return is_width(event, conversion->star);
}

static bool conversions_are_sane(const struct tep_event *event)
{
	struct format_conversion conversion = format_conversions(event);

	while (format_conversion_next(&conversion))
		if (!conversion_is_sane(event, &conversion))
			return false;
	return true;
}

bool format_print_is_sane(const struct tep_event *event)
{
	if ((event->flags & TEP_EVENT_FL_FAILED) || !event->print_fmt.format)
		return false;
	return widths_are_sane(event->print_fmt.format) && conversions_are_sane(event) &&
	       list_is_sane(event, event->print_fmt.args, 0);
}
