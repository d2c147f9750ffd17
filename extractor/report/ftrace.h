/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The rings of the kernel's own trace: how much is in them, and what is missing. */
#ifndef EPITAPH_REPORT_FTRACE_H
#define EPITAPH_REPORT_FTRACE_H

#include <stdio.h>

#include "base/json.h"
#include "timeline/postmortem.h"

/* A line for each ring of @pm->ftrace. */
void print_ftrace(FILE *f, const struct postmortem *pm);

/* The same as array "ftrace". */
void print_ftrace_json(struct json *j, const struct postmortem *pm);

#endif
