/* SPDX-License-Identifier: GPL-2.0-only */
/* Where the fields of an event are. */
#ifndef EPITAPH_EVENTS_FIELDS_H
#define EPITAPH_EVENTS_FIELDS_H

#include <linux/kernel.h>
#include <epitaph/probes.h>

/* Of the common bytes, which only the kernel's own records have. */
#define EPITAPH_COMMON_BYTES	8
static_assert(sizeof(struct epitaph_entry) == EPITAPH_COMMON_BYTES);

/* Whether code of ftrace's can read a record of ours. */
#define EPITAPH_ENTRY_IS_FTRACES (sizeof(struct trace_entry) == sizeof(struct epitaph_entry))

static inline unsigned int epitaph_field_off(const struct epitaph_field *field,
					     unsigned int end)
{
	return field->type ? ALIGN(end, (unsigned int)field->align) : end;
}

/**
 * epitaph_for_each_field() - each field of an event and its offset
 * @field: the field
 * @off: where it is, from the start of struct trace_event_raw_x, as the
 *	format file counts
 * @fields: of the event
 */
#define epitaph_for_each_field(field, off, fields)			\
	for ((field) = (fields),					\
	     (off) = epitaph_field_off(field, EPITAPH_COMMON_BYTES);	\
	     (field)->type;						\
	     (off) = epitaph_field_off((field) + 1, (off) + (field)->size), \
	     (field)++)

#endif /* EPITAPH_EVENTS_FIELDS_H */
