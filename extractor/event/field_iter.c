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

bool field_iter_next(struct field_iter *fields, struct field *ret)
{
	const struct layout_field *layout = fields->at;
	struct bytes *payload = &fields->payload;
	u64 off, size;

	if (!fields->left)
		return false;
	fields->at++;
	fields->left--;
	*ret = (struct field){
		.name = layout->name, .kind = FIELD_ABSENT, .is_signed = layout->is_signed,
		.order = payload->order,
	};
	if (!field_layout_find(layout, payload, &off, &size))
		return true;
	ret->data = payload->data + off;
	ret->size = size;
	if (layout->kind == LAYOUT_TEXT) {
		ret->kind = FIELD_TEXT;
		ret->size = bytes_strlen(payload, off, size);
	} else if (layout->kind == LAYOUT_ARRAY) {
		ret->kind = FIELD_ARRAY;
		ret->element = layout->element;
	} else {
		ret->kind = is_number_size(size) ? FIELD_NUMBER : FIELD_BYTES;
		ret->number = bytes_number(payload, off, size, ret->is_signed);
	}
	return true;
}

bool field_element(const struct field *field, u32 i, u64 *ret)
{
	struct bytes b = bytes_of(field->data, field->size, field->order);
	u64 off = (u64)i * field->element;

	if (!bytes_has(&b, off, field->element) || !is_number_size(field->element))
		return false;
	*ret = bytes_number(&b, off, field->element, field->is_signed);
	return true;
}

bool field_iter_find(const struct item *item, const char *name, struct field *ret)
{
	struct field_iter fields;

	field_iter_begin(&fields, item);
	for (; fields.left; fields.at++, fields.left--)
		if (fields.at->name[0] == name[0] && !strcmp(fields.at->name, name))
			return field_iter_next(&fields, ret);
	return false;
}
