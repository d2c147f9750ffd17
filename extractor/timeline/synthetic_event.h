/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Items that come from no ring, in the form of trace events: a format text and a payload. An
 * exporter whose file format knows only events writes them like all others. docs/exports.md has
 * the fields.
 */
#ifndef EPITAPH_TIMELINE_SYNTHETIC_EVENT_H
#define EPITAPH_TIMELINE_SYNTHETIC_EVENT_H

#include "base/byte_writer.h"
#include "event/formats.h"
#include "event/item.h"

enum synthetic_kind {
	SYNTHETIC_LOG,		/* epitaph:log: a line that the recorder kept */
	SYNTHETIC_PRINTK,	/* printk:log: a line of the dumped kernel's own log */
	SYNTHETIC_MCE,		/* epitaph:machine_check */
	SYNTHETIC_RAW,		/* epitaph:raw: the bytes of an event without a usable format */
	SYNTHETIC_NR,
};

#define SYNTHETIC_MAX_TEXT	8192	/* bytes of one text; the rest is cut off */

struct synthetic_events;

int synthetic_events_new(struct synthetic_events **ret, enum byte_order order, struct err *err);

/* @events may be NULL. */
void synthetic_events_free(struct synthetic_events *events);

/* Their formats, by synthetic_id(); they live as long as @events. */
struct formats *synthetic_formats(const struct synthetic_events *events);

static inline u32 synthetic_id(enum synthetic_kind kind)
{
	return kind + 1;
}

/* The format text, "name: log\nID: 1\nformat:..."; it lives as long as @events. */
const char *synthetic_text(const struct synthetic_events *events, enum synthetic_kind kind);

enum synthetic_kind synthetic_kind_of(const struct aux_event *aux);

/* Write the payload into @p, which is emptied first. Return: false if a text was cut. */
bool synthetic_pack_aux(struct pack *p, const struct aux_event *aux);
bool synthetic_pack_raw(struct pack *p, const struct item *item, const char *name);

#endif
