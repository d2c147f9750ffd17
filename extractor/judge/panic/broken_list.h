/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A list whose neighbours do not agree, as lib/list_debug.c found. */
#ifndef EPITAPH_JUDGE_PANIC_BROKEN_LIST_H
#define EPITAPH_JUDGE_PANIC_BROKEN_LIST_H

#include "judge/judge.h"

/*
 * @place: that found it
 * @line: what the kernel said of it; a text of NULL: the words are lost
 */
void broken_list_claim(struct explain *explain, const char *place, struct report_text line);

#endif
