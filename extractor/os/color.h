/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Colours of a terminal, for what a reader must not miss. */
#ifndef EPITAPH_OS_COLOR_H
#define EPITAPH_OS_COLOR_H

#include <stdio.h>

#include "base/types.h"

enum color_when {
	COLOR_AUTO,		/* where standard output is a terminal that has some, and NO_COLOR is not set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

enum color {
	COLOR_CRASH,
	COLOR_MCE,
	COLOR_LOST,		/* events that are gone, or never came to be */
	COLOR_DAMAGE,
};

/* Before a pager is behind standard output, once in a process; until then there are none. */
void color_choose(enum color_when when);

/* What follows is in this colour, up to color_end(). */
void color_begin(FILE *f, enum color color);
void color_end(FILE *f);

#endif
