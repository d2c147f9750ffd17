/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Options that choose a part of the timeline. */
#ifndef EPITAPH_CMD_WINDOW_OPTIONS_H
#define EPITAPH_CMD_WINDOW_OPTIONS_H

#include "timeline/window.h"

/* Where debuginfo is; false: @opt is one of these and wrong: printed for command @name. */
bool options_take_debug(const char *name, int opt, const char *arg);

/* 1: taken; 0: not one of these; -1: wrong, and printed for command @name. */
int options_take(struct window *window, const char *name, int opt, const char *arg);

#endif
