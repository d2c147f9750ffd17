/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Items on the library's side: batches of them, and what their definitions say. */
#ifndef EPITAPH_LIB_ITEM_H
#define EPITAPH_LIB_ITEM_H

#include <stdatomic.h>

#include <epitaph/epitaph.h>

#include "wire.h"

#define DEFINITIONS_MAX	(64U << 20)	/* bytes that a reader may define items with, in one walk */

struct definition_field {
	const char *name;
	struct wire_field wire;
};

/* @texts: what names point into */
struct definition {
	enum epitaph_kind kind;
	enum byte_order order;
	const char *name;
	const char *channel;
	u32 nr_fields;
	char *texts;
	struct definition_field fields[];
};

/* Of one walk; the walk and its batches use them. */
struct definitions {
	atomic_uint users;
	struct definition **list;
	u32 nr;
	size_t size;
};

/* @end_time: of the generation */
struct batch {
	atomic_uint users;
	struct pack bytes;
	struct definitions *definitions;
	u64 end_time;
};

struct epitaph_item {
	atomic_uint users;
	struct batch *batch;
	const struct wire_item *wire;
	const struct definition *definition;
};

/* Of @batch, which it keeps, for epitaph_item_unref(); NULL without memory. */
struct epitaph_item *item_new(struct batch *batch, const struct wire_item *wire);

struct definitions *definitions_new(void);
void definitions_unref(struct definitions *definitions);

/* The definition at the beginning of @b, of @b->size bytes; false: it cannot be, or no memory. */
bool definitions_add(struct definitions *definitions, struct bytes *b);

/* Takes @bytes, also on failure. */
struct batch *batch_new(struct pack *bytes, struct definitions *definitions, u64 end_time);
void batch_unref(struct batch *batch);

/* The next item of the batch, checked, behind *@off; NULL: none is left, or *@bad. */
const struct wire_item *batch_next(struct batch *batch, size_t *off, bool *bad);

#endif
