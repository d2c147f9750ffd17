/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks that the dumped kernel's own trace recorded by its event mce:mce_record. */
#ifndef EPITAPH_TIMELINE_MCE_FROM_FTRACE_H
#define EPITAPH_TIMELINE_MCE_FROM_FTRACE_H

#include "postmortem.h"

/* Add them to @pm->mces. @pm is scanned and has no recording. */
int mce_from_ftrace(struct postmortem *pm, struct err *err);

#endif
