/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An access to where x86-64 has its modules, and none is: a module that was unloaded may have left the pointer. */
#ifndef EPITAPH_JUDGE_MODULE_AREA_H
#define EPITAPH_JUDGE_MODULE_AREA_H

#include "judge/judge.h"

/* Says so as what is not known of a claim. Does nothing for other addresses, or if no module was unloaded. */
void module_area_add(struct explain *explain);

#endif
