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

enum own_kind {
	OWN_LOG,		/* epitaph:log: a line that the recorder kept */
	OWN_PRINTK,		/* printk:log: one of the dumped kernel's own log */
	OWN_MCE,		/* epitaph:machine_check */
	OWN_RAW,		/* epitaph:raw: an event that cannot be read: its bytes */
	OWN_NR,
};

#define OWN_MAX_TEXT	8192	/* bytes of one text; the rest is cut off */

struct own;

int own_new(struct own **ret, enum byte_order order, struct err *err);
void own_free(struct own *own);

/* The library's, own's. */
const struct tep_event *own_event(const struct own *own, enum own_kind kind);

/* "name: log\nID: 1\nformat:..."; own's. */
const char *own_text(const struct own *own, enum own_kind kind);

enum own_kind own_kind_of(const struct extra *extra);

/* The payload; @p is emptied first.  Return: false if a text was cut. */
bool own_pack_extra(struct pack *p, const struct extra *extra);
bool own_pack_raw(struct pack *p, const struct entry *entry, const char *name);

#endif
