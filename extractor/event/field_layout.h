/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the fields of an event lie in its payload, and what they are. */
#ifndef EPITAPH_EVENT_FIELD_LAYOUT_H
#define EPITAPH_EVENT_FIELD_LAYOUT_H

#include <event-parse.h>

#include "base/byte_reader.h"

enum layout_kind {
	LAYOUT_NUMBER,		/* of 1, 2, 4 or 8 bytes */
	LAYOUT_TEXT,		/* up to a NUL or the end */
	LAYOUT_ARRAY,		/* of numbers */
	LAYOUT_BYTES,		/* nobody knows what */
};

/**
 * struct layout_field - one
 * @name: the library's, and so is @field
 * @off: in the payload; of the word that says where it is, if @is_dynamic
 * @size: there; in a synthetic event that word has 8 bytes, of which the first 4 say it
 * @element: bytes of a number of an array
 * @is_relative: that word counts from behind itself
 * @is_rest: all that is left of the payload, from @off on; also @is_dynamic
 */
struct layout_field {
	const char *name;
	const struct tep_format_field *field;
	enum layout_kind kind;
	u32 off;
	u32 size;
	u32 element;
	bool is_signed;
	bool is_dynamic;
	bool is_relative;
	bool is_rest;
};

/* Is it one?  The library also takes arrays of u8 for texts. */
bool field_layout_is_text(const struct tep_format_field *field);

/**
 * field_layout_place() - where the data of a dynamic field lies, by the word that the event has in its place
 * @b: the event without its first @skipped bytes
 * @off: there
 *
 * Return: false, if that is not within @b.
 */
bool field_layout_place(const struct tep_format_field *field, struct bytes *b, u32 skipped,
			u64 *off, u64 *size);

/* Is it all that is left of its event, whatever size it is said to have? */
bool field_layout_is_rest(const struct tep_format_field *field);

/**
 * struct layout - of one kind of event
 * @fields: nr of them, in the order of the format
 * @size: a payload holds this many bytes, or more
 * @is_fixed: no field says where it lies
 */
struct layout {
	struct layout_field *fields;
	u32 nr;
	u32 size;
	bool is_fixed;
};

/**
 * field_layout_make() - of a format that has been checked; for field_layout_free()
 *
 * Return: false without memory, or if a field lies where all events have the same.
 */
bool field_layout_make(struct layout *layout, const struct tep_event *event);
void field_layout_free(struct layout *layout);

/* Where in @payload a field is; false: not within. */
bool field_layout_find(const struct layout_field *field, struct bytes *payload, u64 *off, u64 *size);

/* Of a layout that is not fixed: do all fields lie within? */
bool field_layout_holds_dynamic(const struct layout *layout, struct bytes *payload);

#endif
