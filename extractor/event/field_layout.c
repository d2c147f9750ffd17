// SPDX-License-Identifier: GPL-2.0-or-later
#include "field_layout.h"

#include <string.h>

const struct layout_field *layout_field_named(const struct layout *layout, const char *name,
					      size_t len)
{
	u32 i;

	for (i = 0; i < layout->nr; i++)
		if (!strncmp(layout->fields[i].name, name, len) && !layout->fields[i].name[len])
			return &layout->fields[i];
	return NULL;
}

bool layout_field_is_in(const struct layout_field *field, struct bytes *payload)
{
	return bytes_has(payload, field->off, field->is_rest ? 0 : field->size);
}

s64 layout_field_number(const struct layout_field *field, struct bytes *payload)
{
	if (!layout_field_is_in(field, payload))
		return -1;
	if (field->size == 4)
		return bytes_u32(payload, field->off);
	return field->size == 2 ? bytes_u16(payload, field->off) : -1;
}

bool field_layout_find(const struct layout_field *field, struct bytes *payload, u64 *off, u64 *size)
{
	u32 place;

	if (!layout_field_is_in(field, payload))
		return false;
	*off = field->off;
	*size = field->is_rest ? payload->size - field->off : field->size;
	if (!field->is_dynamic || field->is_rest)
		return true;
	place = bytes_u32(payload, field->off);
	*off = place & 0xffff;
	*size = place >> 16;
	if (field->is_relative)
		*off += field->off + field->size;
	else if (*off < FORMATS_COMMON)
		return false;
	else
		*off -= FORMATS_COMMON;
	return bytes_has(payload, *off, *size);
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
