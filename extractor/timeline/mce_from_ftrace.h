/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Machine checks that the dumped kernel's own trace has, of its event mce:mce_record. */
#ifndef EPITAPH_TIMELINE_MCE_FROM_FTRACE_H
#define EPITAPH_TIMELINE_MCE_FROM_FTRACE_H

#include "postmortem.h"

/* Adds them to @pm->mces; @pm has no trace of the recorder's, and is scanned. */
int mce_from_ftrace(struct postmortem *pm, struct err *err);

#endif
