/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks in a report: lines of its head, lines among the events. */
#ifndef EPITAPH_REPORT_MCE_LINE_H
#define EPITAPH_REPORT_MCE_LINE_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/postmortem.h"

/* Lines of the head: the machine check that the machine died of, and how many there are. */
void print_mce_head(FILE *f, const struct postmortem *pm);

/* The text of an event, "mce: ...", without what is unknown; @recording may be NULL. */
void print_mce_line(FILE *f, const struct recording *recording, const struct mce *mce);

/* Numbers and texts as keys of the object that is open. */
void print_mce_fields(struct json *j, const struct mce *mce);

/* The machine check that the machine died of, or NULL; docs/mce-decode.md has the rule. */
const struct mce *print_mce_of_death(const struct postmortem *pm);

#endif
