/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All machine checks of a postmortem, for people. */
#ifndef EPITAPH_REPORT_MCE_LIST_H
#define EPITAPH_REPORT_MCE_LIST_H

#include <stdio.h>

#include "timeline/postmortem.h"

/* A block for each machine check, and what is missing; sums of many come first. */
void print_mces(FILE *f, const struct postmortem *pm);

#endif
