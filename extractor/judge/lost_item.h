/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A timer or work item lies in an object that its function uses, and is there no more. */
#ifndef EPITAPH_JUDGE_LOST_ITEM_H
#define EPITAPH_JUDGE_LOST_ITEM_H

#include "judge.h"

/*
 * The bad pointer was read from an object in which the timer or work item lies that the CPU runs, and where its function was the dump has
 * no address of code: the object was freed and given out anew, or cleared, since that began. @is_other_kind: the claim is that the object is
 * of another kind, which says less.
 */
void lost_item_claim(struct explain *explain, const char *place, bool is_other_kind);

#endif
