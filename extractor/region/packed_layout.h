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

enum packing_kind {
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
 * struct packing_step - one field
 * @kind: enum packing_kind
 * @base: slot of a PACKING_LARGE; of PACKING_SMALL, how many ids there are
 * @off: where it goes in the payload
 */
struct packing_step {
	u8 kind;
	u8 base;
	u16 off;
};

/**
 * struct packing - of one kind
 * @id: of the event that it is; 0: there is none
 * @size: bytes of its payload
 * @nr_coded: of the nr_steps in @steps
 * @value: of a small event, what its id tells: of its first one, 0
 */
struct packing {
	u32 id;
	u32 size;
	u32 nr_steps;
	u32 nr_coded;
	u32 value;
	struct packing_step steps[PACKING_STEPS];
};

/* packing_parse() - one line of a batch; false: it cannot be.  The number of a small event is its first id. */
bool packing_parse(struct packing *packing, u32 *ret_number, const char *line);

/* The line again, with a newline. */
void packing_print(FILE *f, const struct packing *packing, u32 number);

/* Bytes that a step fills. */
u32 packing_width(const struct packing_step *step);

/* Of how many numbers, from the first on, it is the packing. */
u32 packing_count(const struct packing *packing);

bool packing_is_coded(const struct packing_step *step);

#endif
