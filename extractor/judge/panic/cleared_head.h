/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of a list over which zeros were written, from in front of it. */
#ifndef EPITAPH_JUDGE_PANIC_CLEARED_HEAD_H
#define EPITAPH_JUDGE_PANIC_CLEARED_HEAD_H

#include "judge/judge.h"

/*
 * The claim, if the line of list_add() names a head whose first pointer is 0 in the dump, and of whose second one the low bytes are
 * alone. @place: who noticed it
 */
bool cleared_head_claim(struct explain *explain, const char *place, struct report_text line);

#endif
