/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What there is of the kernel's own trace. */
#ifndef EPITAPH_REPORT_FTRACE_H
#define EPITAPH_REPORT_FTRACE_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/postmortem.h"

/* A line for each ring of @pm->ftrace. */
void print_ftrace(FILE *f, const struct postmortem *pm);

/* An array "ftrace" of them. */
void print_ftrace_json(struct json *j, const struct postmortem *pm);

#endif
