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
	if (entries->data[off])
		(id == EPITAPH_ID_TEXT ? entries->texts : entries->values)[entries->data[off]] = off + 1;
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

static u32 packed_field_size(struct unpack *unpack, char kind, u32 *code)
{
	static const u8 sizes[][4] = {
		{ 0, 3, 4, 255 }, { 0, 1, 2, 4 }, { 1, 2, 4, 8 }, { 0, 2, 4, 8 }, { 0, 4, 5, 8 }, { 1, 2, 4, 8 },
	};
	static const char steps[] = EPITAPH_CODED_STEPS;
	const char *coded = strchr(steps, kind);
	u32 i = unpack->nr_codes;

	*code = 0;
	if (!coded)
		return kind == 'i' ? 4 : kind == 'h' ? 2 : kind == 'k' || kind == 'e' ? 0 : 1;
	unpack->nr_codes++;
	*code = unpack->codes[i / 4] >> i % 4 * 2 & 3;
	return sizes[coded - steps][*code];
}

/* Of which the number is not extended by its sign. */
static bool is_unsigned_step(char kind, u32 code)
{
	return strchr("puw", kind) || (kind == 'q' && code == 2);
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
	value = number_of(at, size);
	if (kind == 'a' && !value_of(unpack->entries, *at, &value))
		return false;
	if (is_unsigned_step(kind, code))
		value = low_bytes(value, size);
	if (kind == 'q' && code == 2 && !value_of(unpack->entries, epitaph_pack_base_of(field->type), &base))
		return false;
	if (kind == 'k' || kind == 'e')
		value = implied_value(unpack, kind);
	if (kind == 'd')
		base = unpack->large;
	value += base;
	if (kind == 'q' || kind == 'd')
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
	bool has_large = false;
	struct unpack unpack;
	unsigned int off;

	if (!ev || bytes < ev->pack_head)
		return NULL;
	unpack = (struct unpack){
		.ev = ev, .entries = entries, .codes = payload + 1, .at = payload + ev->pack_head,
		.end = payload + bytes,
	};
	memset(out, 0, EPITAPH_UNPACKED_MAX);
	epitaph_for_each_field(field, off, ev->fields)
		if (!unpack_field(&unpack, field, epitaph_packing_step(field, &has_large),
				  out + off - EPITAPH_COMMON_BYTES))
			return NULL;
	return ev;
}
