// SPDX-License-Identifier: GPL-2.0-or-later
#include "field_iter.h"

#include <string.h>

#include "field_layout.h"

void field_iter_begin(struct field_iter *fields, const struct item *item)
{
	const struct format *format = formats_get(item->stream->formats, item->id);

	*fields = (struct field_iter){
		.known = format->is_known, .at = format->layout.fields, .left = format->layout.nr,
		.payload = bytes_of(item->payload, item->size, item->stream->order),
	};
}

/* Sign as the field has it; false: no number has that size. */
static bool read_field_number(struct bytes *b, u64 off, u32 size, bool is_signed, u64 *ret)
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

static void read_field(struct field *field, const struct layout_field *layout,
		       struct bytes *payload)
{
	u64 off, size;

	if (!field_layout_find(layout, payload, &off, &size))
		return;
	field->data = payload->data + off;
	field->size = size;
	if (layout->kind == LAYOUT_TEXT) {
		field->kind = FIELD_TEXT;
		field->size = bytes_strlen(payload, off, size);
	} else if (layout->kind == LAYOUT_ARRAY) {
		field->kind = FIELD_ARRAY;
		field->element = layout->element;
	} else {
		field->kind = read_field_number(payload, off, size, field->is_signed,
						&field->number) ?
			      FIELD_NUMBER : FIELD_BYTES;
	}
}

bool field_iter_next(struct field_iter *fields, struct field *ret)
{
	if (!fields->left)
		return false;
	*ret = (struct field){
		.name = fields->at->name,
		.kind = FIELD_ABSENT,
		.is_signed = fields->at->is_signed,
		.order = fields->payload.order,
	};
	read_field(ret, fields->at, &fields->payload);
	fields->at++;
	fields->left--;
	return true;
}

bool field_element(const struct field *field, u32 i, u64 *ret)
{
	struct bytes b = bytes_of(field->data, field->size, field->order);
	u64 off = (u64)i * field->element;

	return bytes_has(&b, off, field->element) &&
	       read_field_number(&b, off, field->element, field->is_signed, ret);
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
