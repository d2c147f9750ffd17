/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What an account takes from the dumped kernel itself. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_KERNEL_H
#define EPITAPH_TIMELINE_POSTMORTEM_KERNEL_H

#include "postmortem.h"

/* Opens the kernel of @pm->in; without a trace it also tells origin and end. */
int pm_kernel_open(struct postmortem *pm, struct err *err);

/* Adds what it has of @pm->sources; what lacks is noted. */
int pm_kernel_scan(struct postmortem *pm, struct err *err);

#endif
