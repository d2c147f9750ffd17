/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What was called stands in front of a table of functions, or behind it. */
#ifndef EPITAPH_JUDGE_CALLED_TABLE_H
#define EPITAPH_JUDGE_CALLED_TABLE_H

#include "judge.h"

/* @frame: of the function that called; @caller: in words. By a dump alone. False: it is not so, or that is not known. */
bool called_table_claim(struct explain *explain, struct report_text frame, const char *caller);

#endif
