// SPDX-License-Identifier: GPL-2.0-or-later
#include "packed_decode.h"

#include <epitaph/format.h>
#include <string.h>

#define TEXT_BYTES	(EPITAPH_TEXT_WORDS * 4 - 1)
#define VALUE_BYTES	(EPITAPH_VALUE_WORDS * 4 - 1)
#define SECTOR_BYTES	512
#define ONE_BYTE_AT	(1U << 16)	/* of the kernel's __data_loc */

void packed_decode_forget(struct packed_decode_slots *slots, const void *data)
{
	memset(slots, 0, sizeof(*slots));
	slots->data = data;
}

void packed_decode_learn(struct packed_decode_slots *slots, u32 id, u32 off)
{
	u16 *places = id == EPITAPH_ID_TEXT ? slots->texts : slots->values;
	u8 slot = slots->data[off];

	if (slot)
		places[slot] = off + 1;
}

static u64 packed_number_at(const u8 *data, u32 size)
{
	u64 value = 0;
	u32 i;

	for (i = 0; i < size; i++)
		value |= (u64)data[i] << 8 * i;
	return value;
}

static u64 sign_extend(u64 value, u32 size)
{
	u32 shift = 64 - 8 * size;

	return (u64)((s64)(value << shift) >> shift);
}

u64 packed_decode_value(const u8 *data)
{
	u64 value = packed_number_at(data, VALUE_BYTES);

	return value >> 52 ? value | 0xffULL << 56 : value;
}

bool packed_decode_begin(struct packed_decode *unpack, const struct packed_layout *layout,
			 const struct packed_decode_slots *slots, const void *payload, u32 size)
{
	u32 before = 1 + (layout->nr_coded * 2 + 7) / 8;

	*unpack = (struct packed_decode){
		.layout = layout, .slots = slots, .codes = (const u8 *)payload + 1,
		.at = (const u8 *)payload + before, .end = (const u8 *)payload + size,
	};
	return layout->id && before <= size;
}

/* Bytes of a field, by its kind and code; -1: invalid code. */
static int data_size(u8 kind, u32 code)
{
	static const signed char pid[] = { 0, 3, 4, -1 }, number[] = { 0, 1, 2, 4 };
	static const signed char large[] = { 1, 2, 4, 8 }, difference[] = { 0, 2, 4, 8 };
	static const signed char sector[] = { 0, 4, 5, 8 };

	switch (kind) {
	case PACKING_PID:
		return pid[code];
	case PACKING_NUMBER:
		return number[code];
	case PACKING_LARGE:
	case PACKING_SHORT_TEXT:
		return large[code];
	case PACKING_SECTOR:
		return sector[code];
	case PACKING_SECTOR_BYTES:
	case PACKING_EMPTY:
		return 0;
	case PACKING_DIFFERENCE:
		return difference[code];
	case PACKING_SHORT:
		return 2;
	case PACKING_WHOLE:
		return 4;
	default:
		return 1;
	}
}

static bool value_in_slot(const struct packed_decode_slots *slots, u32 slot, u64 *ret)
{
	if (slot && !slots->values[slot])
		return false;
	*ret = slot ? packed_decode_value(slots->data + slots->values[slot]) : 0;
	return true;
}

/* Decodes the bytes of one step. False: they refer to an unknown text or value. */
static bool decode_field(struct packed_decode *unpack, struct packed_decode_field *field, u32 code)
{
	u64 value = packed_number_at(field->at, field->size), base = 0;
	const struct packed_decode_slots *slots = unpack->slots;

	switch (field->step->kind) {
	case PACKING_TEXT:
		field->text = slots->texts[value] ? slots->data + slots->texts[value] : NULL;
		return !value || field->text;
	case PACKING_ADDRESS:
		return value_in_slot(slots, value, &field->value);
	case PACKING_NUMBER:
		value = field->size ? sign_extend(value, field->size) : 0;
		unpack->number = value;
		break;
	case PACKING_SECTOR_BYTES:
		value = (u64)unpack->number * SECTOR_BYTES;
		break;
	case PACKING_EMPTY:
		value = ONE_BYTE_AT | field->step->base;
		break;
	case PACKING_LARGE:
		if (code == 2 && !value_in_slot(slots, field->step->base, &base))
			return false;
		value = code == 2 ? value + base : sign_extend(value, field->size);
		unpack->large = value;
		break;
	case PACKING_DIFFERENCE:
		unpack->large += field->size ? sign_extend(value, field->size) : 0;
		value = unpack->large;
		break;
	}
	field->value = value;
	return true;
}

int packed_decode_next(struct packed_decode *unpack, struct packed_decode_field *field)
{
	const struct packed_layout_step *step = &unpack->layout->steps[unpack->step];
	u32 code = 0, i;
	int size;

	if (unpack->step == unpack->layout->nr_steps)
		return 0;
	if (packed_layout_is_coded(step)) {
		i = unpack->coded++;
		code = unpack->codes[i / 4] >> i % 4 * 2 & 3;
	}
	size = data_size(step->kind, code);
	if (size < 0 || size > unpack->end - unpack->at)
		return -1;
	*field = (struct packed_decode_field){ .step = step, .at = unpack->at, .size = size };
	unpack->at += size;
	unpack->step++;
	return decode_field(unpack, field, code) ? 1 : -1;
}

static void store_number(u8 *out, enum byte_order order, u64 value, u32 width)
{
	u32 i;

	for (i = 0; i < width; i++)
		out[order == ORDER_BIG ? width - 1 - i : i] = value >> 8 * i;
}

bool packed_decode_small(const struct packed_layout *layout, enum byte_order order, u8 out[PACKING_SIZE])
{
	if (!layout->id)
		return false;
	memset(out, 0, (layout->size + 3) & ~3U);
	store_number(out + layout->steps[0].off, order, layout->value, 4);
	return true;
}

bool packed_decode_event(const struct packed_layout *layout, const struct packed_decode_slots *slots,
			 enum byte_order order, const void *payload, u32 size, u8 out[PACKING_SIZE])
{
	struct packed_decode_field field;
	struct packed_decode unpack;
	int ret;

	if (!packed_decode_begin(&unpack, layout, slots, payload, size))
		return false;
	memset(out, 0, (layout->size + 3) & ~3U);
	/* A text ends at its first NUL; the rest is zero. */
	while ((ret = packed_decode_next(&unpack, &field)) > 0) {
		if (field.text)
			memcpy(out + field.step->off, field.text,
			       strnlen((const char *)field.text, TEXT_BYTES));
		else if (field.step->kind != PACKING_TEXT)
			store_number(out + field.step->off,
				     field.step->kind == PACKING_SHORT_TEXT ? ORDER_LITTLE : order,
				     field.value, packed_layout_width(field.step));
	}
	return !ret;
}
