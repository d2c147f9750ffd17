/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of a module that a call trace does not have, because its last call was a jump. */
#ifndef EPITAPH_JUDGE_LEFT_FRAME_H
#define EPITAPH_JUDGE_LEFT_FRAME_H

#include "words.h"

/*
 * Which function of a module @frame of @report called, by its name or out of a table of functions, if that is in no frame:
 * "function() in module m". Out of a dump alone.
 */
bool left_frame_place(char place[2 * WORDS_FUNCTION], const struct explain *explain, const struct kernel_report *report,
		      struct report_text frame);

/* The same as evidence. */
void left_frame_add(struct explain *explain, const struct kernel_report *report, struct report_text frame);

#endif
