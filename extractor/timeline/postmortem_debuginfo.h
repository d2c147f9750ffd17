/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Debuginfo of the kernel that an account is of. */
#ifndef EPITAPH_TIMELINE_POSTMORTEM_DEBUGINFO_H
#define EPITAPH_TIMELINE_POSTMORTEM_DEBUGINFO_H

#include "postmortem.h"

/*
 * pm_debug_open() - find it, if somebody named a place
 *
 * Return: 0, also where nobody did; -ERR_USAGE if there is none of that build.
 */
int pm_debug_open(struct postmortem *pm, struct err *err);

void pm_debug_close(struct postmortem *pm);

#endif
