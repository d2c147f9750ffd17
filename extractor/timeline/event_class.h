/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The classes of the events of one export, numbered from 1. Events have the same class if system,
 * name and format text are the same, whatever ids they have in whatever sets of formats.
 */
#ifndef EPITAPH_TIMELINE_EVENT_CLASS_H
#define EPITAPH_TIMELINE_EVENT_CLASS_H

#include "event/field_layout.h"
#include "event/stream.h"
#include "synthetic_event.h"

#define EVENT_CLASSES_MAX	60000	/* a number fits 16 bits; further classes are SYNTHETIC_RAW */

/**
 * struct event_class - one class of events
 * @id: its number
 * @system: not escaped
 * @name: not escaped
 * @text: @size bytes: the format from "name:" on, without a print format that is not safe; not
 *	terminated, not escaped
 * @program: of its print format; NULL: not known; as @layout, that of the first of its formats
 */
struct event_class {
	u32 id;
	const char *system;
	const char *name;
	const char *text;
	size_t size;
	const struct print_program *program;
	struct layout layout;
};

struct event_classes;

int event_classes_new(struct event_classes **ret, enum byte_order order, struct err *err);

/* @classes may be NULL. */
void event_classes_free(struct event_classes *classes);

u32 event_classes_nr(const struct event_classes *classes);

/* The class with number @id, from 1 to event_classes_nr(). */
const struct event_class *event_classes_at(const struct event_classes *classes, u32 id);

/* Add the classes of all events that @formats describes. */
int event_classes_add(struct event_classes *classes, struct formats *formats, struct err *err);

/**
 * event_classes_of() - the class of an item
 * @stacks: accept a kernel stack that is not as deep as its format says
 *
 * Return: the class; that of SYNTHETIC_RAW if the format is lost or does not fit; NULL without
 * memory.
 */
const struct event_class *event_classes_of(struct event_classes *classes, const struct item *item,
					   bool stacks);

const struct event_class *event_classes_synthetic(const struct event_classes *classes,
						  enum synthetic_kind kind);

#endif
