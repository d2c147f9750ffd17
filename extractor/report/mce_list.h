/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All machine checks of an account, for people. */
#ifndef EPITAPH_REPORT_MCE_LIST_H
#define EPITAPH_REPORT_MCE_LIST_H

#include <stdio.h>

#include "timeline/postmortem.h"

/*
 * print_mces() - a block of words and registers for each, and what is not there
 *
 * Many are summed up first.  "no machine checks recorded" where there are none.
 */
void print_mces(FILE *f, const struct postmortem *pm);

#endif
