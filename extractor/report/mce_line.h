/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks in a report. */
#ifndef EPITAPH_REPORT_MCE_LINE_H
#define EPITAPH_REPORT_MCE_LINE_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/postmortem.h"

/* Header lines: the one that the machine died of, and how many there are. */
void print_mce_head(FILE *f, const struct postmortem *pm);

/* "mce: ..." */
void print_mce_line(FILE *f, const struct recording *recording, const struct mce *mce);

/* Numbers and words, keys of an object. */
void print_mce_fields(struct json *j, const struct mce *mce);

/* print_mce_of_death() - the one that the machine died of, or NULL; see docs/mce-decode.md */
const struct mce *print_mce_of_death(const struct postmortem *pm);

#endif
