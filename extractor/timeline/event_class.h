/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The kinds of events of one export, numbered from 1, whatever ids they have in
 * however many sets of formats.  Two of the same system, name and format text
 * are one.
 */
#ifndef EPITAPH_TIMELINE_EVENT_CLASS_H
#define EPITAPH_TIMELINE_EVENT_CLASS_H

#include "event/field_layout.h"
#include "event/stream.h"
#include "synthetic_event.h"

#define CLASSES_MAX	60000	/* so that a number fits 16 bits; what is beyond is OWN_RAW */

/**
 * struct class - one
 * @id: its number
 * @system: not escaped, and so @name
 * @text: @size bytes: the format, from "name:" on, as far as it may be used; not terminated, not escaped
 * @event: the library's
 */
struct class {
	u32 id;
	const char *system;
	const char *name;
	const char *text;
	size_t size;
	const struct tep_event *event;
	struct layout layout;
};

struct classes;

int classes_new(struct classes **ret, enum byte_order order, struct err *err);
void classes_free(struct classes *classes);

u32 classes_nr(const struct classes *classes);

/* Number @id, which is there. */
const struct class *classes_at(const struct classes *classes, u32 id);

/* classes_add() - all kinds that @formats can tell of */
int classes_add(struct classes *classes, struct formats *formats, struct err *err);

/*
 * What an event is of; OWN_RAW's if its format is lost or does not fit. NULL: no memory.
 *
 * @stacks: a kernel stack that is not as deep as its format has it is one all the same
 */
const struct class *classes_of(struct classes *classes, const struct entry *entry, bool stacks);

const struct class *classes_own(const struct classes *classes, enum own_kind kind);

#endif
