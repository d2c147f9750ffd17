/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What comes out of no ring, as a kernel would have recorded it: a format text
 * and a payload.  So exports for which all is an event need to know of nothing
 * else.  docs/exports.md has the fields.
 */
#ifndef EPITAPH_TIMELINE_SYNTHETIC_EVENT_H
#define EPITAPH_TIMELINE_SYNTHETIC_EVENT_H

#include <event-parse.h>

#include "base/byte_writer.h"
#include "event/item.h"

enum synthetic_kind {
	SYNTHETIC_LOG,		/* epitaph:log: a line that the recorder kept */
	SYNTHETIC_PRINTK,		/* printk:log: one of the dumped kernel's own log */
	SYNTHETIC_MCE,		/* epitaph:machine_check */
	SYNTHETIC_RAW,		/* epitaph:raw: an event that cannot be read: its bytes */
	SYNTHETIC_NR,
};

#define SYNTHETIC_MAX_TEXT	8192	/* bytes of one text; the rest is cut off */

struct synthetic_events;

int synthetic_events_new(struct synthetic_events **ret, enum byte_order order, struct err *err);
void synthetic_events_free(struct synthetic_events *own);

/* The library's, own's. */
const struct tep_event *synthetic_event(const struct synthetic_events *own, enum synthetic_kind kind);

/* "name: log\nID: 1\nformat:..."; own's. */
const char *synthetic_text(const struct synthetic_events *own, enum synthetic_kind kind);

enum synthetic_kind synthetic_kind_of(const struct aux_event *extra);

/* The payload; @p is emptied first.  Return: false if a text was cut. */
bool synthetic_pack_aux(struct pack *p, const struct aux_event *extra);
bool synthetic_pack_raw(struct pack *p, const struct item *item, const char *name);

#endif
