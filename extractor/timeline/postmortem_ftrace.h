/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account takes from the dumped kernel's own trace. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_FTRACE_H
#define EPITAPH_TIMELINE_POSTMORTEM_FTRACE_H

#include "postmortem.h"

/* Looks for what a kernel left that is not there: @pm->ftrace.  -ERR_NOT_OURS: nothing. */
int pm_ftrace_open(struct postmortem *pm, struct err *err);

/* Finds it through @pm->kernel, if there is one, and adds a stream for each ring; what lacks is noted. */
int pm_ftrace_scan(struct postmortem *pm, struct err *err);

#endif
