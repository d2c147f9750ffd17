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
};

/**
 * struct packed_layout_step - one field
 * @kind: enum packed_layout_kind
 * @base: slot of a PACKING_LARGE; of PACKING_SMALL, how many ids there are
 * @off: where it goes in the payload
 */
struct packed_layout_step {
	u8 kind;
	u8 base;
	u16 off;
};

/**
 * struct packed_layout - of one kind
 * @id: of the event that it is; 0: there is none
 * @size: bytes of its payload
 * @nr_coded: of the nr_steps in @steps
 * @value: of a small event, what its id tells: of its first one, 0
 */
struct packed_layout {
	u32 id;
	u32 size;
	u32 nr_steps;
	u32 nr_coded;
	u32 value;
	struct packed_layout_step steps[PACKING_STEPS];
};

/* packed_layout_parse() - one line of a batch; false: it cannot be.  The number of a small event is its first id. */
bool packed_layout_parse(struct packed_layout *packing, u32 *ret_number, const char *line);

/* The line again, with a newline. */
void packed_layout_print(FILE *f, const struct packed_layout *packing, u32 number);

/* Bytes that a step fills. */
u32 packed_layout_width(const struct packed_layout_step *step);

/* Of how many numbers, from the first on, it is the packing. */
u32 packed_layout_count(const struct packed_layout *packing);

bool packed_layout_is_coded(const struct packed_layout_step *step);

#endif
