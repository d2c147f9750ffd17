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

#define EVENT_CLASSES_MAX	60000	/* so that a number fits 16 bits; what is beyond is OWN_RAW */

/**
 * struct event_class - one
 * @id: its number
 * @system: not escaped, and so @name
 * @text: @size bytes: the format, from "name:" on, as far as it may be used; not terminated, not escaped
 * @event: the library's
 */
struct event_class {
	u32 id;
	const char *system;
	const char *name;
	const char *text;
	size_t size;
	const struct tep_event *event;
	struct layout layout;
};

struct event_classes;

int event_classes_new(struct event_classes **ret, enum byte_order order, struct err *err);
void event_classes_free(struct event_classes *classes);

u32 event_classes_nr(const struct event_classes *classes);

/* Number @id, which is there. */
const struct event_class *event_classes_at(const struct event_classes *classes, u32 id);

/* event_classes_add() - all kinds that @formats can tell of */
int event_classes_add(struct event_classes *classes, struct formats *formats, struct err *err);

/*
 * What an event is of; OWN_RAW's if its format is lost or does not fit. NULL: no memory.
 *
 * @stacks: a kernel stack that is not as deep as its format has it is one all the same
 */
const struct event_class *event_classes_of(struct event_classes *classes, const struct item *item, bool stacks);

const struct event_class *event_classes_synthetic(const struct event_classes *classes, enum synthetic_kind kind);

#endif
