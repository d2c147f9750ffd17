/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How a kind of event is packed: docs/packing.md. */
#ifndef EPITAPH_REGION_PACKED_LAYOUT_H
#define EPITAPH_REGION_PACKED_LAYOUT_H

#include <epitaph/format.h>
#include <stdio.h>

#include "base/types.h"

#define PACKING_NR	256	/* numbers, of which 0 is none */
#define PACKING_ALL	(EPITAPH_ID_SMALL_LAST + 1)	/* and ids of small events */
#define PACKING_STEPS	24
#define PACKING_SIZE	256	/* bytes of a payload at most */
#define PACKING_IN_CODE_MAX	2	/* of a number that a code holds */
#define PACKING_IN_CODES_MAX	14	/* the same of two codes */

enum packed_layout_kind {
	PACKING_TEXT = 't',
	PACKING_ADDRESS = 'a',
	PACKING_PID = 'p',
	PACKING_NUMBER = 'n',
	PACKING_LARGE = 'q',
	PACKING_DIFFERENCE = 'd',
	PACKING_SHORT = 'h',
	PACKING_BYTE = 'b',
	PACKING_SMALL = 's',
	PACKING_WHOLE = 'i',
	PACKING_SECTOR = 'u',
	PACKING_SHORT_TEXT = 'w',
	PACKING_SECTOR_BYTES = 'k',
	PACKING_EMPTY = 'e',
	PACKING_TASK = 'c',
	PACKING_MASK = 'm',
	PACKING_IN_CODES = 'o',
	PACKING_JIFFIES = 'j',
	PACKING_TIME = 'g',
	PACKING_IN_CODE = 'l',
};

/**
 * struct packed_layout_step - how one field is packed
 * @kind: enum packed_layout_kind
 * @base: slot of a PACKING_LARGE, PACKING_TIME or PACKING_JIFFIES; number of ids of a PACKING_SMALL; where the array of a PACKING_EMPTY
 *	begins, as the format counts
 * @off: offset of the field in the payload
 */
struct packed_layout_step {
	u8 kind;
	u8 base;
	u16 off;
};

/**
 * struct packed_layout - how one kind of event is packed
 * @id: id of the unpacked event; 0: no layout
 * @size: bytes of the unpacked payload
 * @nr_coded: number of codes
 * @value: the number that a small event's id stands for; 0 for its first id
 */
struct packed_layout {
	u32 id;
	u32 size;
	u32 nr_steps;
	u32 nr_coded;
	u32 value;
	struct packed_layout_step steps[PACKING_STEPS];
};

/*
 * Parses one line of a batch of formats. False: invalid. @ret_number: the number of the layout;
 * that of a small event is its first id.
 */
bool packed_layout_parse(struct packed_layout *layout, u32 *ret_number, const char *line);

/* Writes the line that packed_layout_parse() reads, with a newline. */
void packed_layout_print(FILE *f, const struct packed_layout *layout, u32 number);

/* Of what a PACKING_TASK fills, behind the name. */
#define PACKING_TASK_PID	16
#define PACKING_TASK_PRIO	20

/* Bytes that a step fills in the unpacked payload; 0: invalid kind. */
u32 packed_layout_width(const struct packed_layout_step *step);

/* Number of consecutive ids that have this layout. */
u32 packed_layout_count(const struct packed_layout *layout);

/* How many codes of two bits a step has. */
static inline u32 packed_layout_codes(const struct packed_layout_step *step)
{
	switch (step->kind) {
	case PACKING_PID:
	case PACKING_NUMBER:
	case PACKING_LARGE:
	case PACKING_DIFFERENCE:
	case PACKING_SECTOR:
	case PACKING_SHORT_TEXT:
	case PACKING_JIFFIES:
	case PACKING_IN_CODE:
		return 1;
	case PACKING_IN_CODES:
		return 2;
	}
	return 0;
}

/* Is @base a slot of values, which numbers count from? */
bool packed_layout_has_value(const struct packed_layout_step *step);

#endif
