/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decodes packed events: bytes in, bytes out. docs/packing.md has the encoding. */
#ifndef EPITAPH_REGION_PACKED_DECODE_H
#define EPITAPH_REGION_PACKED_DECODE_H

#include "base/byte_reader.h"
#include "packed_layout.h"

/**
 * struct packed_decode_slots - texts, values and tasks that a sub-buffer has defined so far
 * @data: bytes of the sub-buffer; owned by the caller
 * @texts: by slot, the offset of its text in @data; 0: undefined
 * @values: the same for numbers
 * @tasks: the same for tasks
 */
struct packed_decode_slots {
	const u8 *data;
	u16 texts[PACKING_NR];
	u16 values[PACKING_NR];
	u16 tasks[PACKING_NR];
};

/* Empties @slots at the start of the sub-buffer @data. */
void packed_decode_forget(struct packed_decode_slots *slots, const void *data);

/* Takes the definition in an event @id: EPITAPH_ID_TEXT, _VALUE or _TASK. Payload at @off. */
void packed_decode_learn(struct packed_decode_slots *slots, u32 id, u32 off);

/* The number of 7 bytes in an EPITAPH_ID_VALUE. */
u64 packed_decode_value(const u8 *data);

/* A task as its definition, or the event, has it: behind the number of its slot. */
#define PACKED_TASK_SIZE	(EPITAPH_TASK_WORDS * 4 - 1)
s32 packed_decode_prio(const u8 *task);
u32 packed_decode_pid(const u8 *task);

/**
 * struct packed_decode - a walk along the steps of a packed event
 * @codes: codes of the coded steps, two bits each
 * @at: the rest of the event, up to @end
 * @large: the last PACKING_LARGE, PACKING_TIME, PACKING_JIFFIES or PACKING_DIFFERENCE
 * @number: the last PACKING_NUMBER
 */
struct packed_decode {
	const struct packed_layout *layout;
	const struct packed_decode_slots *slots;
	const u8 *codes;
	const u8 *at;
	const u8 *end;
	u32 step;
	u32 coded;
	u64 large;
	u32 number;
};

/**
 * struct packed_decode_field - one decoded field
 * @value: a number, as a slot or the event itself has it
 * @text: the 15 bytes of a PACKING_TEXT, or of the name of a PACKING_TASK; NULL: none
 * @task: the PACKED_TASK_SIZE bytes of a PACKING_TASK
 * @at: the encoded field, @size bytes
 */
struct packed_decode_field {
	const struct packed_layout_step *step;
	u64 value;
	const u8 *text;
	const u8 *task;
	const u8 *at;
	u32 size;
};

/* Begins with the @size bytes at @payload. False: too short, or no layout. */
bool packed_decode_begin(struct packed_decode *unpack, const struct packed_layout *layout,
			 const struct packed_decode_slots *slots, const void *payload, u32 size);

/* Return: 1 and a field; 0: the end; -1: damaged, or a slot is undefined. */
int packed_decode_next(struct packed_decode *unpack, struct packed_decode_field *field);

/* Decodes a small event, which has no payload. False: no layout. */
bool packed_decode_small(const struct packed_layout *layout, enum byte_order order, u8 out[PACKING_SIZE]);

/**
 * packed_decode_event() - decode a whole event
 * @out: @layout->size bytes, and zeroes up to a whole word
 *
 * Return: false: damaged, or a slot is undefined.
 */
bool packed_decode_event(const struct packed_layout *layout, const struct packed_decode_slots *slots,
			 enum byte_order order, const void *payload, u32 size, u8 out[PACKING_SIZE]);

#endif
