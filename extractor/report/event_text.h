/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One event as the kernel's trace file has it, and as fields. */
#ifndef EPITAPH_REPORT_EVENT_TEXT_H
#define EPITAPH_REPORT_EVENT_TEXT_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/timeline.h"

struct render;

int render_new(struct render **ret, struct postmortem *pm, struct err *err);
void render_free(struct render *render);

/* "name: fields", escaped; hex where the format is lost. */
void render_text(struct render *render, FILE *f, const struct item *item);

/* Key and object. */
void render_fields(struct json *j, const char *key, const struct item *item);

#endif
