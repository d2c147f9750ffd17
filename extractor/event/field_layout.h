/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The fields of an event, as the head of its format text declares them. */
#ifndef EPITAPH_EVENT_FIELD_LAYOUT_H
#define EPITAPH_EVENT_FIELD_LAYOUT_H

#include "base/byte_reader.h"

#define FORMATS_COMMON	8	/* bytes of an event that are not recorded */

enum layout_kind {
	LAYOUT_NUMBER,		/* of 1, 2, 4 or 8 bytes */
	LAYOUT_TEXT,		/* up to a NUL or the end */
	LAYOUT_ARRAY,		/* of numbers */
	LAYOUT_BYTES,		/* a type of unknown structure */
};

/**
 * struct layout_field - one field
 * @name: the layout's, terminated; of the texts of an array, which are a field each, "name[1]"
 * @off: in the payload; of a dynamic field, of the word with its place
 * @size: there, as declared; in a synthetic event the place has 8 bytes, of which the first 4 count
 * @element: bytes of a number of an array
 * @is_long: its type is a long, which the kernel mostly keeps addresses in
 * @is_string_pointer: a char *, the address of a string of the kernel
 * @is_device: a dev_t
 * @is_dynamic: its size differs from event to event: there is a place, or @is_rest
 * @is_relative: the place counts from its own end
 * @is_rest: an array of all that is left of the payload from @off on
 */
struct layout_field {
	const char *name;
	enum layout_kind kind;
	u32 off;
	u32 size;
	u32 element;
	bool is_signed;
	bool is_array;
	bool is_pointer;
	bool is_long;
	bool is_string_pointer;
	bool is_device;
	bool is_dynamic;
	bool is_relative;
	bool is_rest;
};

/**
 * struct layout - the fields of one kind of event
 * @fields: nr of them, in the order of the format
 * @size: a payload has at least this many bytes
 * @is_fixed: no field is dynamic
 * @nr_devices: fields that are a dev_t
 */
struct layout {
	struct layout_field *fields;
	u32 nr;
	u32 size;
	bool is_fixed;
	u32 nr_devices;
};

/* The field called @name, of @len bytes; NULL: there is none. */
const struct layout_field *layout_field_named(const struct layout *layout, const char *name,
					      size_t len);

/* Does the declared part of @field lie in @payload? */
bool layout_field_is_in(const struct layout_field *field, struct bytes *payload);

/* An unsigned number of 2 or 4 bytes; -1: @payload does not have it. */
s64 layout_field_number(const struct layout_field *field, struct bytes *payload);

/* Where in @payload the data of a field is; false: not within. */
bool field_layout_find(const struct layout_field *field, struct bytes *payload, u64 *off, u64 *size);

/* Of a layout that is not fixed: does the data of each dynamic field lie in @payload? */
bool field_layout_holds_dynamic(const struct layout *layout, struct bytes *payload);

#endif
