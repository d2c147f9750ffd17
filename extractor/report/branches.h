/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The last branches of each CPU, as text and as JSON. docs/last-branches.md */
#ifndef EPITAPH_REPORT_BRANCHES_H
#define EPITAPH_REPORT_BRANCHES_H

#include "base/json.h"
#include "timeline/postmortem.h"

void print_branches(FILE *f, const struct postmortem *pm);

/* The key "last_branches", if the recorder was to keep them. @pm has a recording. */
void print_branches_json(struct json *j, const struct postmortem *pm);

#endif
