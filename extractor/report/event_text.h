/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One item as text in the form of the kernel's trace file, and as fields in JSON. */
#ifndef EPITAPH_REPORT_EVENT_TEXT_H
#define EPITAPH_REPORT_EVENT_TEXT_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/timeline.h"

/* What is kept from one event to the next: print programs, buffers. */
struct render;

int render_new(struct render **ret, struct postmortem *pm, struct err *err);
void render_free(struct render *render);

/* Write "name: fields", escaped; the bytes in hex where the format is lost. */
void render_text(struct render *render, FILE *f, const struct item *item);

/* The same behind @text, of nearly all events. False: nothing is put there, use render_text(). */
bool render_pack(struct render *render, struct pack *text, const struct item *item);

/* The same fields as object @key. */
void render_fields(struct json *j, const char *key, const struct item *item);

#endif
