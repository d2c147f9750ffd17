/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Why a window shows none of the events that were asked for. */
#ifndef EPITAPH_TIMELINE_EMPTY_WINDOW_H
#define EPITAPH_TIMELINE_EMPTY_WINDOW_H

#include "window.h"

/**
 * window_explain_empty() - which of its options fits nothing, and what it could have been
 * @notes: gets a sentence for each: "no event fits --event sched_swich; did you mean sched_switch?"
 * @window: chosen of @pm; nothing is said of one that shows events, or that asks for no
 *	certain ones, nor of an account without events
 *
 * Reads the whole timeline once more.  Return: 0, or -ERR_IO without memory.
 */
int window_explain_empty(struct damage_notes *notes, const struct window *window, struct postmortem *pm,
			 struct err *err);

#endif
