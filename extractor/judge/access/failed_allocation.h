/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the kernel had refused before a bad pointer was used, by its own lines: an allocation, a registration. */
#ifndef EPITAPH_JUDGE_FAILED_ALLOCATION_H
#define EPITAPH_JUDGE_FAILED_ALLOCATION_H

#include "judge/judge.h"

/* Adds it as evidence, if the same task asked for it in the function that died, or in its caller. */
void failed_allocation_add(struct explain *explain);


/*
 * A fault in the driver core, called by a module to which the kernel refused a device or a file of sysfs before: that is
 * said, as what may be.
 */
void failed_registration_add(struct explain *explain);

#endif
