/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access to where x86-64 has its modules, and none is: a module that was unloaded may have left the pointer. */
#ifndef EPITAPH_JUDGE_MODULE_AREA_H
#define EPITAPH_JUDGE_MODULE_AREA_H

#include "judge/judge.h"

/* Says so as what is not known of a claim. Does nothing for other addresses, or if no module was unloaded. */
void module_area_add(struct explain *explain);

/*
 * The kernel's own code followed a pointer into memory that a module has now, which was loaded behind the unloading of another one, and
 * there is no variable of it: it was that one's. Changes the claim then; takes a vmcore and the trace.
 */
void module_area_claim_left(struct explain *explain, const char *place);

#endif
