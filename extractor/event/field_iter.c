// SPDX-License-Identifier: GPL-2.0-or-later
#include "field_iter.h"

#include <string.h>

#include "field_layout.h"

void field_iter_begin(struct field_iter *fields, const struct item *item)
{
	struct formats *formats = item->stream->formats;
	const struct format *format = formats_get(formats, item->id);
	const struct tep_record *record;

	*fields = (struct field_iter){ .known = format->event };
	if (!format->event)
		return;
	record = formats_record(formats, item->id, item->pid, item->payload, item->size);
	fields->b = bytes_of(record->data, record->size, item->stream->order);
	fields->at = format->event->format.fields;
}

/* Sign as the field has it; false: no number has that size. */
static bool read_number(struct bytes *b, u64 off, u32 size, bool is_signed, u64 *ret)
{
	switch (size) {
	case 1:
		*ret = bytes_u8(b, off);
		*ret = is_signed ? (u64)(int8_t)*ret : *ret;
		return true;
	case 2:
		*ret = bytes_u16(b, off);
		*ret = is_signed ? (u64)(int16_t)*ret : *ret;
		return true;
	case 4:
		*ret = bytes_u32(b, off);
		*ret = is_signed ? (u64)(int32_t)*ret : *ret;
		return true;
	case 8:
		*ret = bytes_u64(b, off);
		return true;
	}
	return false;
}

static void read_field(struct field *field, const struct tep_format_field *format,
		       struct bytes *b)
{
	u64 off = format->offset;
	u64 size = format->size;
	u32 element = format->elementsize;

	if (field_layout_is_rest(format) && off < b->size)
		size = b->size - off;
	if (!bytes_has(b, off, size))
		return;
	if ((format->flags & TEP_FIELD_IS_DYNAMIC) && !field_layout_place(format, b, 0, &off, &size))
		return;
	field->data = b->data + off;
	field->size = size;
	if (field_layout_is_text(format)) {
		field->kind = FIELD_TEXT;
		field->size = bytes_strlen(b, off, size);
	} else if (format->flags & TEP_FIELD_IS_ARRAY) {
		field->kind = FIELD_ARRAY;
		field->element = !element || element > 8 || (element & (element - 1)) ? 1 : element;
	} else {
		field->kind = read_number(b, off, size, field->is_signed, &field->number) ?
			      FIELD_NUMBER : FIELD_BYTES;
	}
}

bool field_iter_next(struct field_iter *fields, struct field *ret)
{
	const struct tep_format_field *format = fields->at;

	if (!format)
		return false;
	*ret = (struct field){
		.name = format->name,
		.kind = FIELD_ABSENT,
		.is_signed = format->flags & TEP_FIELD_IS_SIGNED,
		.order = fields->b.order,
	};
	read_field(ret, format, &fields->b);
	fields->at = format->next;
	return true;
}

bool field_element(const struct field *field, u32 i, u64 *ret)
{
	struct bytes b = bytes_of(field->data, field->size, field->order);
	u64 off = (u64)i * field->element;

	return bytes_has(&b, off, field->element) &&
	       read_number(&b, off, field->element, field->is_signed, ret);
}

bool field_iter_find(const struct item *item, const char *name, struct field *ret)
{
	struct field_iter fields;

	field_iter_begin(&fields, item);
	while (field_iter_next(&fields, ret))
		if (!strcmp(ret->name, name))
			return true;
	return false;
}
