/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One name for all crashes of one cause; docs/explain.md has the rules. */
#ifndef EPITAPH_EXPLAIN_SIGNATURE_H
#define EPITAPH_EXPLAIN_SIGNATURE_H

#include "explain.h"

/* Of the finding's kind, and of the place and the frames of @report; NULL: the kind alone. */
void signature_make(struct finding *finding, const struct kernel_report *report);

#endif
