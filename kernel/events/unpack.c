// SPDX-License-Identifier: GPL-2.0-only
/* Packed events read back, for sysrq-z.  docs/packing.md is what it implements. */
#include <linux/kernel.h>
#include <linux/string.h>
#include <epitaph/pack.h>
#include "fields.h"
#include "pack.h"
#include "recorder.h"

/* A walk along the fields. */
struct unpack {
	const struct epitaph_event *ev;
	const struct epitaph_entries *entries;
	const u8 *codes;
	u32 nr_codes;
	const u8 *at;
	const u8 *end;
	u64 large;
	u32 number;
};

void epitaph_entries_add(struct epitaph_entries *entries, u32 id, u32 off)
{
	u16 *places = id == EPITAPH_ID_TEXT ? entries->texts :
		      id == EPITAPH_ID_TASK ? entries->tasks : entries->values;

	if (entries->data[off])
		places[entries->data[off]] = off + 1;
}

/* Little-endian, sign extended; @size may be 0. */
static u64 number_of(const u8 *data, u32 size)
{
	u64 value = 0;
	u32 i;

	for (i = size; i; i--)
		value = value << 8 | data[i - 1];
	return size ? (u64)((s64)(value << (64 - 8 * size)) >> (64 - 8 * size)) : 0;
}

static bool value_of(const struct epitaph_entries *entries, u8 slot, u64 *value)
{
	if (slot && !entries->values[slot])
		return false;
	*value = 0;
	if (slot)
		memcpy(value, entries->data + entries->values[slot], EPITAPH_VALUE_WORDS * 4 - 1);
	*value = le64_to_cpu((__force __le64)*value);
	if (*value >> 52)
		*value |= 0xffULL << 56;
	return true;
}

static bool put_text(const struct epitaph_entries *entries, u8 slot, u8 *out)
{
	if (slot && !entries->texts[slot])
		return false;
	if (slot)
		memcpy(out, entries->data + entries->texts[slot],
		       strnlen((const char *)entries->data + entries->texts[slot],
			       EPITAPH_TEXT_WORDS * 4 - 1));
	return true;
}

/* @codes of them: the first in the lowest bits. */
static u32 next_codes(struct unpack *unpack, u32 codes)
{
	u32 i, n, all = 0;

	for (n = 0; n < codes; n++) {
		i = unpack->nr_codes++;
		all |= (unpack->codes[i / 4] >> i % 4 * 2 & 3) << n * 2;
	}
	return all;
}

/* Of a step without codes; a byte of some says what follows. */
static u32 plain_field_size(const struct unpack *unpack, char kind)
{
	u8 first = unpack->at < unpack->end ? *unpack->at : 1;

	switch (kind) {
	case 'g':
		return unpack->end - unpack->at >= 4 &&
		       get_unaligned_le32(unpack->at) == EPITAPH_TIME_WHOLE ? 4 + 8 : 4;
	case 'i':
		return 4;
	case 'h':
		return 2;
	case 'k':
	case 'e':
		return 0;
	case 'c':
		return first ? 1 : EPITAPH_TASK_WORDS * 4;
	case 'm':
		return first == EPITAPH_MASK_WHOLE ? 1 + 8 : 1;
	default:
		return 1;
	}
}

static u32 packed_field_size(struct unpack *unpack, char kind, u32 *code)
{
	static const u8 sizes[][4] = {
		{ 0, 3, 4, 255 }, { 0, 1, 2, 4 }, { 1, 2, 4, 8 }, { 0, 2, 4, 8 }, { 0, 4, 5, 8 }, { 1, 2, 4, 8 },
		{ 1, 2, 4, 8 }, { 0, 0, 0, 1 },
	};
	static const char steps[] = EPITAPH_CODED_STEPS;
	const char *coded = strchr(steps, kind);

	*code = next_codes(unpack, epitaph_packing_codes(kind));
	if (kind == 'o')
		return *code > EPITAPH_IN_CODES_MAX ? 4 : 0;
	return coded ? sizes[coded - steps][*code] : plain_field_size(unpack, kind);
}

static bool has_base(char kind, u32 code, u32 size)
{
	return (kind == 'q' && code == 2) || (kind == 'j' && (code == 1 || code == 2)) ||
	       (kind == 'g' && size == 4);
}

/* Of which the number is not extended by its sign. */
static bool is_unsigned_step(char kind, u32 code, u32 size)
{
	return strchr("puwol", kind) || has_base(kind, code, size);
}

static u64 low_bytes(u64 value, u32 size)
{
	return size < 8 ? value & ((1ULL << 8 * size) - 1) : value;
}

/* What other fields of the event say, or its description. */
static u64 implied_value(const struct unpack *unpack, char kind)
{
	return kind == 'k' ? unpack->number << EPITAPH_SECTOR_SHIFT :
	       EPITAPH_EMPTY_LEN | epitaph_packing_array(unpack->ev);
}

static void put_value(u8 *out, u64 value, u32 size, bool is_text)
{
	if (IS_ENABLED(CONFIG_CPU_BIG_ENDIAN))
		value = is_text ? swab64(value) : value << (64 - 8 * size);
	memcpy(out, &value, size);
}

/* @at: all of it, behind a slot that is 0, or the slot.  Name, pid and priority are in a row. */
static bool put_packed_task(const struct epitaph_entries *entries, const u8 *at, u8 *out)
{
	const u8 *task = at + 1;

	if (*at && !entries->tasks[*at])
		return false;
	if (*at)
		task = entries->data + entries->tasks[*at];
	if (!put_text(entries, task[0], out))
		return false;
	put_value(out + 16, get_unaligned_le32(task + 3), 4, false);
	put_value(out + 20, number_of(task + 1, 2), 4, false);
	return true;
}

/* One bit, or none, or all behind it. */
static bool bits_of(const u8 *at, u64 *value)
{
	*value = *at == EPITAPH_MASK_WHOLE ? number_of(at + 1, 8) : *at ? 1ULL << (*at - 1) : 0;
	return *at <= 64 || *at == EPITAPH_MASK_WHOLE;
}

static bool unpack_field(struct unpack *unpack, const struct epitaph_field *field, char kind,
			 u8 *out)
{
	u32 code, size = packed_field_size(unpack, kind, &code);
	const u8 *at = unpack->at;
	u64 value, base = 0;

	if (size > unpack->end - at)
		return false;
	unpack->at += size;
	if (kind == 't')
		return put_text(unpack->entries, *at, out);
	if (kind == 'c')
		return put_packed_task(unpack->entries, at, out);
	value = kind == 'g' && size > 8 ? number_of(at + 4, 8) : number_of(at, min(size, 8U));
	if (kind == 'm' && !bits_of(at, &value))
		return false;
	if ((kind == 'o' || kind == 'l') && !size)
		value = code;
	if (kind == 'a' && !value_of(unpack->entries, *at, &value))
		return false;
	if (is_unsigned_step(kind, code, size) && size)
		value = low_bytes(value, size);
	if (has_base(kind, code, size) &&
	    !value_of(unpack->entries, epitaph_pack_base_of(field->type, kind), &base))
		return false;
	if (kind == 'k' || kind == 'e')
		value = implied_value(unpack, kind);
	if (kind == 'd')
		base = unpack->large;
	value += base;
	if (kind == 'q' || kind == 'g' || kind == 'j' || kind == 'd')
		unpack->large = value;
	if (kind == 'n')
		unpack->number = value;
	put_value(out, value, field->size, kind == 'w');
	return true;
}

struct epitaph_event *epitaph_unpack(const struct epitaph_entries *entries, const u8 *payload,
				     u32 bytes, u8 *out)
{
	struct epitaph_event *ev = epitaph_event_by_packing(payload[0]);
	const struct epitaph_field *field;
	struct epitaph_steps steps = { };
	struct unpack unpack;
	unsigned int off;

	if (!ev || bytes < ev->pack_head)
		return NULL;
	unpack = (struct unpack){
		.ev = ev, .entries = entries, .codes = payload + 1, .at = payload + ev->pack_head,
		.end = payload + bytes,
	};
	memset(out, 0, EPITAPH_UNPACKED_MAX);
	epitaph_for_each_field(field, off, ev->fields) {
		char kind = epitaph_packing_step(field, &steps);

		if (kind != EPITAPH_STEP_OF_TASK &&
		    !unpack_field(&unpack, field, kind, out + off - EPITAPH_COMMON_BYTES))
			return NULL;
	}
	return ev;
}
