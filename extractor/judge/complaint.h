/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines by which the kernel says, again and again, that it waits: they are no reports, and it goes on. */
#ifndef EPITAPH_JUDGE_COMPLAINT_H
#define EPITAPH_JUDGE_COMPLAINT_H

#include "judge.h"

/* Of the last minute: the last such line as evidence, and what it means as what the claim leaves open. */
void complaint_add(struct explain *explain);

#endif
