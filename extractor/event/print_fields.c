// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_fields.h"

#include <ctype.h>
#include <stdio.h>

#include "base/fast_digits.h"

#define MAX_BYTES	1024	/* of one array */

static bool is_printable(const u8 *data, size_t len)
{
	size_t i;

	for (i = 0; i < len && data[i]; i++)
		if (!isprint(data[i]) && !isspace(data[i]))
			return false;
	return true;
}

static void put_hex_bytes(struct pack *p, const u8 *data, size_t size)
{
	char hex[2];
	size_t i;

	pack_bytes(p, "ARRAY[", 6);
	for (i = 0; i < size && i < MAX_BYTES; i++) {
		if (i)
			pack_bytes(p, ", ", 2);
		digits_byte(hex, data[i]);
		pack_bytes(p, hex, 2);
	}
	if (i < size)
		pack_bytes(p, ", ...", 5);
	pack_bytes(p, "]", 1);
}

/* A long mostly holds an address. */
static void put_field_number(struct pack *p, const struct layout_field *field, struct bytes *payload)
{
	bool is_hex = field->is_pointer || (field->is_long && (!field->is_signed || field->size == 4));
	u64 n = bytes_number(payload, field->off, field->size, field->is_signed);
	char buf[32];
	int len;

	len = snprintf(buf, sizeof(buf), is_hex ? "0x%llx" : field->is_signed ? "%lld" : "%llu", n);
	pack_bytes(p, buf, len);
}

void print_fields(struct pack *p, const struct layout *layout, struct bytes *payload)
{
	u64 off, size;

	for (u32 i = 0; i < layout->nr; i++) {
		const struct layout_field *field = &layout->fields[i];

		pack_bytes(p, " ", 1);
		pack_bytes(p, field->name, strlen(field->name));
		pack_bytes(p, "=", 1);
		if (!field_layout_find(field, payload, &off, &size))
			pack_bytes(p, "?", 1);
		else if (field->kind == LAYOUT_NUMBER)
			put_field_number(p, field, payload);
		else if (field->kind == LAYOUT_TEXT && is_printable(payload->data + off, size))
			pack_bytes(p, payload->data + off, bytes_strlen(payload, off, size));
		else
			put_hex_bytes(p, payload->data + off, size);
	}
}
