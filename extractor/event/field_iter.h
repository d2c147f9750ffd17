/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of an event, one after the other, as its format says. */
#ifndef EPITAPH_EVENT_FIELD_ITER_H
#define EPITAPH_EVENT_FIELD_ITER_H

#include "base/byte_reader.h"
#include "stream.h"

enum field_kind {
	FIELD_ABSENT,		/* lies outside the event */
	FIELD_NUMBER,
	FIELD_TEXT,
	FIELD_ARRAY,		/* of numbers */
	FIELD_BYTES,		/* a number of no size that is known */
};

/**
 * struct field - one
 * @name: the format's, not escaped
 * @number: sign extended, where @is_signed
 * @data: @size bytes of a text, an array or bytes, valid until the next event; a text is not
 *	escaped and ends there
 * @element: bytes of one number of an array
 */
struct field {
	const char *name;
	enum field_kind kind;
	bool is_signed;
	u64 number;
	const void *data;
	size_t size;
	u32 element;
	enum byte_order order;
};

/**
 * struct field_iter - a walk along the fields of one event
 * @known: its format is
 */
struct field_iter {
	bool known;
	const struct layout_field *at;
	u32 left;
	struct bytes payload;
};

/* Of an event, not of an extra; needs no end, and is over when the next one is begun. */
void field_iter_begin(struct field_iter *fields, const struct item *item);

/* False: that was all. */
bool field_iter_next(struct field_iter *fields, struct field *ret);

/* The number at @i of an array. */
bool field_element(const struct field *field, u32 i, u64 *ret);

/* The field called @name; false: there is none. */
bool field_iter_find(const struct item *item, const char *name, struct field *ret);

#endif
