/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A work item that was queued, and never set up. */
#ifndef EPITAPH_JUDGE_UNSET_WORK_H
#define EPITAPH_JUDGE_UNSET_WORK_H

#include "judge/judge.h"

/*
 * The workqueue warned, and by the dump one of its registers has the address of a work item that is marked as queued, and whose function
 * and list are 0. @warned: " This machine panics then ..." or "". False: it is not so.
 */
bool unset_work_claim(struct explain *explain, const char *warned);

#endif
