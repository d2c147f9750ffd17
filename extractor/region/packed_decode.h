/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The event that a packed one is: bytes in, bytes out.  docs/packing.md is what
 * it implements.
 */
#ifndef EPITAPH_REGION_PACKED_DECODE_H
#define EPITAPH_REGION_PACKED_DECODE_H

#include "base/byte_reader.h"
#include "packed_layout.h"

/**
 * struct packed_decode_slots - what a sub-buffer has told so far
 * @data: its bytes, the caller's
 * @texts: by slot, the byte of @data where its text is; 0: nowhere
 * @values: the same of numbers
 */
struct packed_decode_slots {
	const u8 *data;
	u16 texts[PACKING_NR];
	u16 values[PACKING_NR];
};

/* packed_decode_forget() - at the start of a sub-buffer */
void packed_decode_forget(struct packed_decode_slots *slots, const void *data);

/* The payload at byte @off is that of EPITAPH_ID_TEXT or EPITAPH_ID_VALUE. */
void packed_decode_learn(struct packed_decode_slots *slots, u32 id, u32 off);

/* The number of 7 bytes that EPITAPH_ID_VALUE tells. */
u64 packed_decode_value(const u8 *data);

/**
 * struct packed_decode - a walk along the steps of a packed event
 * @at: what is left of it, up to @end
 */
struct packed_decode {
	const struct packed_layout *packing;
	const struct packed_decode_slots *slots;
	const u8 *codes;
	const u8 *at;
	const u8 *end;
	u32 step;
	u32 coded;
	u64 large;
};

/**
 * struct packed_decode_field - what one step fills in
 * @value: a number, as a slot or the event itself has it
 * @text: 15 bytes, of PACKING_TEXT; NULL: none
 * @at: @size bytes of the event that say so
 */
struct packed_decode_field {
	const struct packed_layout_step *step;
	u64 value;
	const u8 *text;
	const u8 *at;
	u32 size;
};

/* The event whose payload is @size bytes at @payload; false: it is too short. */
bool packed_decode_begin(struct packed_decode *unpack, const struct packed_layout *packing,
			 const struct packed_decode_slots *slots, const void *payload, u32 size);

/* Return: 1 and a field; 0: that was all; -1: nothing tells what it was. */
int packed_decode_next(struct packed_decode *unpack, struct packed_decode_field *field);

/* packed_decode_small() - the same of an event without payload; false: nothing tells what it was */
bool packed_decode_small(const struct packed_layout *packing, enum byte_order order, u8 out[PACKING_SIZE]);

/**
 * packed_decode_event() - all of it
 * @out: @packing->size bytes and those up to a whole word
 *
 * Return: false: nothing tells what it was.
 */
bool packed_decode_event(const struct packed_layout *packing, const struct packed_decode_slots *slots,
			 enum byte_order order, const void *payload, u32 size, u8 out[PACKING_SIZE]);

#endif
