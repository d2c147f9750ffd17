/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a kernel died of, as lines of a report's head and as JSON. */
#ifndef EPITAPH_REPORT_DEATH_H
#define EPITAPH_REPORT_DEATH_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/death.h"

/* Lines of the head: the report that led to the end, where, other dying CPUs, earlier reports. */
void print_death(FILE *f, const struct postmortem *pm, const struct death *death);

/* The same as keys "death", "earlier" and "other_cpus"; docs/json.md has them. */
void print_death_json(struct json *j, const struct postmortem *pm, const struct death *death);

#endif
