/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A function of a module that a call trace does not have, because its last call was a jump. */
#ifndef EPITAPH_JUDGE_LEFT_FRAME_H
#define EPITAPH_JUDGE_LEFT_FRAME_H

#include "words.h"

/*
 * Which function of a module @frame of @report called, by its name or out of a table of functions, if that is in no frame:
 * "function() in module m". Out of a dump, but for a timer's function.
 */
bool left_frame_place(char place[2 * WORDS_FUNCTION], const struct explain *explain, const struct kernel_report *report,
		      struct report_text frame);

/*
 * The timer function that @frame of call_timer_fn() called, as the trace has it: "function+0x0/0x20 [module]". Without it what that function
 * jumped to at its end would seem to be called by the kernel's code.
 */
bool left_frame_deferred(char name[KERNEL_SYMBOL_MAX], const struct explain *explain, const struct kernel_report *report,
			 struct report_text frame);

/* The same as evidence. */
void left_frame_add(struct explain *explain, const struct kernel_report *report, struct report_text frame);

#endif
