// SPDX-License-Identifier: GPL-2.0-or-later
#include "packed_decode.h"

#include <endian.h>
#include <epitaph/format.h>
#include <string.h>

#define TEXT_BYTES	(EPITAPH_TEXT_WORDS * 4 - 1)
#define VALUE_BYTES	(EPITAPH_VALUE_WORDS * 4 - 1)
#define SECTOR_BYTES	512
#define ONE_BYTE_AT	(1U << 16)	/* of the kernel's __data_loc */
#define MASK_BITS	64
#define MASK_WHOLE	0xff	/* of a mask: all of it follows */
#define TIME_WHOLE	0xffffffff	/* the same of a time */

void packed_decode_forget(struct packed_decode_slots *slots, const void *data)
{
	memset(slots, 0, sizeof(*slots));
	slots->data = data;
}

void packed_decode_learn(struct packed_decode_slots *slots, u32 id, u32 off)
{
	u16 *places = id == EPITAPH_ID_TEXT ? slots->texts :
		      id == EPITAPH_ID_TASK ? slots->tasks : slots->values;
	u8 slot = slots->data[off];

	if (slot)
		places[slot] = off + 1;
}

/* Of a number, without a call: mostly of one, two or four. */
static void copy_bytes(u8 *to, const u8 *from, u32 size)
{
	switch (size) {
	case 2:
		memcpy(to, from, 2);
		break;
	case 4:
		memcpy(to, from, 4);
		break;
	case 8:
		memcpy(to, from, 8);
		break;
	default:
		for (u32 i = 0; i < size; i++)
			to[i] = from[i];
	}
}

static u64 packed_number_at(const u8 *data, u32 size)
{
	u64 value = 0;

	copy_bytes((u8 *)&value, data, size);
	return le64toh(value);
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

s32 packed_decode_prio(const u8 *task)
{
	return (s32)sign_extend(packed_number_at(task + 1, 2), 2);
}

u32 packed_decode_pid(const u8 *task)
{
	return packed_number_at(task + 3, 4);
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

/* Bytes of a field, by its kind, its code, and the @first of them; -1: invalid code. */
static int data_size(u8 kind, u32 code, u32 first)
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
	case PACKING_JIFFIES:
	case PACKING_SHORT_TEXT:
		return large[code];
	case PACKING_IN_CODES:
		return code > PACKING_IN_CODES_MAX ? 4 : 0;
	case PACKING_IN_CODE:
		return code > PACKING_IN_CODE_MAX ? 1 : 0;
	case PACKING_TIME:
		return first == TIME_WHOLE ? 4 + 8 : 4;
	case PACKING_TASK:
		return first & 0xff ? 1 : 1 + PACKED_TASK_SIZE;
	case PACKING_MASK:
		return (first & 0xff) == MASK_WHOLE ? 1 + 8 : (first & 0xff) > MASK_BITS ? -1 : 1;
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

static bool text_in_slot(const struct packed_decode_slots *slots, u32 slot, const u8 **ret)
{
	*ret = slots->texts[slot] ? slots->data + slots->texts[slot] : NULL;
	return !slot || *ret;
}

/* Its definition, or else what is in the event itself. */
static bool decode_task(const struct packed_decode_slots *slots, struct packed_decode_field *field)
{
	u32 slot = field->at[0];

	if (slot && !slots->tasks[slot])
		return false;
	field->task = slot ? slots->data + slots->tasks[slot] : field->at + 1;
	field->value = packed_decode_pid(field->task);
	return text_in_slot(slots, field->task[0], &field->text);
}

static u64 mask_at(const u8 *data)
{
	return data[0] == MASK_WHOLE ? packed_number_at(data + 1, 8) : data[0] ? 1ULL << (data[0] - 1) : 0;
}

/* Is the number without a sign, and counted from a base? */
static bool counts_from_base(const struct packed_decode_field *field, u32 code)
{
	return field->step->kind == PACKING_TIME ? field->size == 4 :
	       field->step->kind == PACKING_JIFFIES ? code == 1 || code == 2 : code == 2;
}

/* Decodes the bytes of one step. False: they refer to an unknown text, value or task. */
static bool decode_field(struct packed_decode *unpack, struct packed_decode_field *field, u32 code)
{
	u64 value = packed_number_at(field->at, field->size > 8 ? 8 : field->size), base = 0;
	const struct packed_decode_slots *slots = unpack->slots;

	switch (field->step->kind) {
	case PACKING_TEXT:
		return text_in_slot(slots, value, &field->text);
	case PACKING_TASK:
		return decode_task(slots, field);
	case PACKING_MASK:
		value = mask_at(field->at);
		break;
	case PACKING_IN_CODES:
	case PACKING_IN_CODE:
		value = field->size ? value : code;
		break;
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
	case PACKING_TIME:
	case PACKING_JIFFIES:
		if (field->size > 8)
			value = packed_number_at(field->at + 4, 8);
		if (counts_from_base(field, code) && !value_in_slot(slots, field->step->base, &base))
			return false;
		value = counts_from_base(field, code) ? value + base :
			sign_extend(value, field->size > 8 ? 8 : field->size);
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

/* Up to four; behind the end there are no bytes that say that more follow. */
static u32 first_bytes(const struct packed_decode *unpack)
{
	u32 left = unpack->end - unpack->at;

	return left ? packed_number_at(unpack->at, left < 4 ? left : 4) : 1;
}

int packed_decode_next(struct packed_decode *unpack, struct packed_decode_field *field)
{
	const struct packed_layout_step *step = &unpack->layout->steps[unpack->step];
	u32 nr_codes = packed_layout_codes(step), code = 0, i, n;
	int size;

	if (unpack->step == unpack->layout->nr_steps)
		return 0;
	for (n = 0; n < nr_codes; n++) {
		i = unpack->coded++;
		code |= (unpack->codes[i / 4] >> i % 4 * 2 & 3) << n * 2;
	}
	size = data_size(step->kind, code, first_bytes(unpack));
	if (size < 0 || size > unpack->end - unpack->at)
		return -1;
	*field = (struct packed_decode_field){ .step = step, .at = unpack->at, .size = size };
	unpack->at += size;
	unpack->step++;
	return decode_field(unpack, field, code) ? 1 : -1;
}

/* @width is 1 to 8. */
static void store_number(u8 *out, enum byte_order order, u64 value, u32 width)
{
	value = order == ORDER_BIG ? htobe64(value << (64 - 8 * width)) : htole64(value);
	copy_bytes(out, (const u8 *)&value, width);
}

/* But for its name. */
static void store_task(u8 *out, enum byte_order order, const struct packed_decode_field *field)
{
	store_number(out + PACKING_TASK_PID, order, packed_decode_pid(field->task), 4);
	store_number(out + PACKING_TASK_PRIO, order, packed_decode_prio(field->task), 4);
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
		if (field.task)
			store_task(out + field.step->off, order, &field);
		if (field.text)
			memcpy(out + field.step->off, field.text,
			       strnlen((const char *)field.text, TEXT_BYTES));
		else if (field.step->kind != PACKING_TEXT && field.step->kind != PACKING_TASK)
			store_number(out + field.step->off,
				     field.step->kind == PACKING_SHORT_TEXT ? ORDER_LITTLE : order,
				     field.value, packed_layout_width(field.step));
	}
	return !ret;
}
