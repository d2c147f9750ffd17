// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Packed events: names and addresses are where they are told, and what is in
 * the event itself is numbers.
 */
#include <string.h>

#include "redact_impl.h"

/* As redact_event.c: what lies in several fields is told by the first. */
static const struct tep_format_field *field_at(const struct format *format, u32 off)
{
	const struct tep_format_field *field = format->event->format.fields;
	int at = off + FORMATS_COMMON;

	while (field && (at < field->offset || at >= field->offset + field->size))
		field = field->next;
	return field && field->offset == at ? field : NULL;
}

/* What is told there is a part of many numbers, and no address. */
static bool is_base(const struct formats *formats, u8 slot)
{
	u32 i, j;

	for (i = 1; i < PACKING_NR; i++) {
		const struct packed_layout *packing = formats_packing(formats, i);

		for (j = 0; j < packing->nr_steps; j++)
			if (packing->steps[j].kind == PACKING_LARGE && packing->steps[j].base == slot)
				return true;
	}
	return false;
}

static u64 get(const u8 *data, u32 size)
{
	u64 value = 0;

	while (size--)
		value = value << 8 | data[size];
	return value;
}

static void put(u8 *data, u64 value, u32 size)
{
	for (; size--; value >>= 8)
		*data++ = value;
}

void redact_slot(struct redaction *r, u32 id, u8 *payload)
{
	u8 name[EPITAPH_TEXT_WORDS * 4];
	u32 size = EPITAPH_VALUE_WORDS * 4 - 1;
	u64 value;

	if (id == EPITAPH_ID_TEXT) {
		pseudonym_text(r->names, (char *)name, sizeof(name), (char *)payload + 1,
			       sizeof(name) - 1);
		memcpy(payload + 1, name, sizeof(name) - 1);
	} else if (!is_base(r->recording->formats, payload[0])) {
		value = packed_decode_value(payload + 1);
		put(payload + 1, pseudonym_address(r->names, value), size);
	}
}

/* The bytes become those of the other number, as far as there are so many. */
static void redact_field(struct redaction *r, const struct format *format,
			 const struct packed_decode_field *field, u8 *at)
{
	const struct tep_format_field *about = field_at(format, field->step->off);
	u64 other = about ? redact_number_of(r->names, about, field->value) : 0;

	if (field->step->kind == PACKING_TEXT || field->step->kind == PACKING_ADDRESS)
		return;
	put(at, get(at, field->size) + other - field->value, field->size);
}

bool redact_may_tell(const struct redaction *r, const struct packed_layout *packing)
{
	const struct format *format = formats_get(r->recording->formats, packing->id);
	const struct tep_format_field *about;
	u32 i;

	if (!packing->id || packing->steps[0].kind != PACKING_SMALL)
		return packing->id;
	about = format->event ? field_at(format, packing->steps[0].off) : NULL;
	for (i = 0; about && i < packed_layout_count(packing); i++)
		if (redact_number_of(r->names, about, i) != i)
			return false;
	return about;
}

bool redact_packed(struct redaction *r, const struct packed_decode_slots *slots, u8 *payload, u32 size)
{
	const struct packed_layout *packing = formats_packing(r->recording->formats, payload[0]);
	const struct format *format = formats_get(r->recording->formats, packing->id);
	u8 was[EPITAPH_PACKED_MAX];
	struct packed_decode_field field;
	struct packed_decode unpack;
	int ret;

	memcpy(was, payload, size);
	if (!format->event || !packed_decode_begin(&unpack, packing, slots, was, size))
		return false;
	while ((ret = packed_decode_next(&unpack, &field)) > 0)
		redact_field(r, format, &field, payload + (field.at - was));
	memset(payload + (unpack.at - was), 0, unpack.end - unpack.at);
	r->count->events += !ret;
	return !ret;
}
