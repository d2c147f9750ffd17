/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel died of, as lines of a report's head and as JSON. */
#ifndef EPITAPH_REPORT_DEATH_H
#define EPITAPH_REPORT_DEATH_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/death.h"

/* print_death() - the kernel's own words, where it stood, and what else died */
void print_death(FILE *f, const struct postmortem *pm, const struct death *death);

/* print_death_json() - the same: the keys "death", "earlier" and "other_cpus" of docs/json.md */
void print_death_json(struct json *j, const struct postmortem *pm, const struct death *death);

#endif
