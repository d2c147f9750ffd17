/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef EPITAPH_JUDGE_SANITIZER_H
#define EPITAPH_JUDGE_SANITIZER_H

#include "judge/judge.h"

/*
 * The place and the frames of a report of a sanitizer: of who did the access, not of what prints the report.
 * Of any other report nothing changes.
 */
void sanitizer_complete(struct kernel_report *report, const struct death *death);

#endif
