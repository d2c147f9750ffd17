/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a window shows no event although the user asked for certain events. */
#ifndef EPITAPH_TIMELINE_EMPTY_WINDOW_H
#define EPITAPH_TIMELINE_EMPTY_WINDOW_H

#include "window.h"

/**
 * window_explain_empty() - which option matches no event, and what could have been meant
 * @notes: gets a sentence for each: "no event fits --event sched_swich; did you mean sched_switch?"
 * @window: window_choose() was called. There is no sentence for a window that shows events or has
 *	no such option, nor if @pm has no events.
 *
 * Reads the whole timeline once more. Return: 0, or -ERR_IO without memory.
 */
int window_explain_empty(struct damage_notes *notes, const struct window *window,
			 struct postmortem *pm, struct err *err);

#endif
