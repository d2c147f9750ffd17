// SPDX-License-Identifier: GPL-2.0-or-later
#include "field_layout.h"

#include <stdlib.h>
#include <string.h>

#include "formats.h"

bool field_layout_is_text(const struct tep_format_field *field)
{
	return (field->flags & TEP_FIELD_IS_STRING) && strstr(field->type, "char") &&
	       !strstr(field->type, "unsigned");
}

static bool is_number(u32 size)
{
	return size && size <= 8 && !(size & (size - 1));
}

static enum layout_kind kind_of(const struct tep_format_field *field)
{
	if (field_layout_is_text(field))
		return LAYOUT_TEXT;
	if (field->flags & TEP_FIELD_IS_ARRAY)
		return LAYOUT_ARRAY;
	if (!is_number(field->size) || (field->flags & TEP_FIELD_IS_DYNAMIC))
		return LAYOUT_BYTES;
	return LAYOUT_NUMBER;
}

/* It has as many callers as there were: what the format says is the room that the kernel began with. */
static bool is_callers(const struct tep_format_field *field)
{
	return !strcmp(field->event->name, "kernel_stack") && !strcmp(field->event->system, "ftrace");
}

bool field_layout_is_rest(const struct tep_format_field *field)
{
	return !field->next && (field->flags & TEP_FIELD_IS_ARRAY) &&
	       !(field->flags & TEP_FIELD_IS_DYNAMIC) && (!field->size || is_callers(field));
}

static bool take(struct layout_field *out, const struct tep_format_field *field)
{
	*out = (struct layout_field){
		.name = field->name, .field = field, .kind = kind_of(field),
		.off = field->offset - FORMATS_COMMON, .size = field->size,
		.element = is_number(field->elementsize) ? field->elementsize : 1,
		.is_signed = field->flags & TEP_FIELD_IS_SIGNED,
		.is_dynamic = field->flags & TEP_FIELD_IS_DYNAMIC,
		.is_relative = field->flags & TEP_FIELD_IS_RELATIVE,
		.is_rest = field_layout_is_rest(field),
	};
	if (field->offset < FORMATS_COMMON)
		return false;
	out->is_dynamic |= out->is_rest;
	if (out->is_rest)
		out->size = 0;
	return true;
}

bool field_layout_make(struct layout *layout, const struct tep_event *event)
{
	const struct tep_format_field *field;
	u32 n = 0;

	for (field = event->format.fields; field; field = field->next)
		n++;
	*layout = (struct layout){ .fields = calloc(n ? n : 1, sizeof(*layout->fields)) };
	if (!layout->fields)
		return false;
	layout->is_fixed = true;
	for (field = event->format.fields; field; field = field->next) {
		struct layout_field *out = &layout->fields[layout->nr++];

		if (!take(out, field)) {
			field_layout_free(layout);
			return false;
		}
		layout->is_fixed &= !out->is_dynamic;
		if (out->off + out->size > layout->size)
			layout->size = out->off + out->size;
	}
	return true;
}

void field_layout_free(struct layout *layout)
{
	free(layout->fields);
	*layout = (struct layout){ 0 };
}

bool field_layout_place(const struct tep_format_field *field, struct bytes *b, u32 skipped,
			u64 *off, u64 *size)
{
	u32 word = bytes_u32(b, (u64)field->offset - skipped);
	u64 at = word & 0xffff;

	if (field->flags & TEP_FIELD_IS_RELATIVE)
		at += field->offset + field->size;
	*off = at - skipped;
	*size = word >> 16;
	return at >= skipped && bytes_has(b, *off, *size);
}

bool field_layout_find(const struct layout_field *field, struct bytes *payload, u64 *off, u64 *size)
{
	*off = field->off;
	*size = field->size;
	if (!bytes_has(payload, *off, *size))
		return false;
	if (!field->is_dynamic)
		return true;
	if (field->is_rest) {
		*size = payload->size - *off;
		return true;
	}
	return field_layout_place(field->field, payload, FORMATS_COMMON, off, size);
}

bool field_layout_holds_dynamic(const struct layout *layout, struct bytes *payload)
{
	u64 off, size;
	u32 i;

	for (i = 0; i < layout->nr; i++)
		if (layout->fields[i].is_dynamic &&
		    !field_layout_find(&layout->fields[i], payload, &off, &size))
			return false;
	return true;
}
