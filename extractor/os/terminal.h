/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A terminal: does it obey control sequences, and colours for what a reader must not miss. */
#ifndef EPITAPH_OS_TERMINAL_H
#define EPITAPH_OS_TERMINAL_H

#include <stdio.h>

#include "base/types.h"

/* Is @fd a terminal that obeys control sequences? False without $TERM, and where it is "dumb". */
bool terminal_obeys(int fd);

enum color_when {
	COLOR_AUTO,		/* standard output is a terminal that obeys, and $NO_COLOR is not set */
	COLOR_ALWAYS,
	COLOR_NEVER,
};

enum color {
	COLOR_CRASH,
	COLOR_MCE,
	COLOR_LOST,		/* events that were overwritten or never recorded */
	COLOR_DAMAGE,
};

/* Once in a process, before a pager takes standard output; until then nothing is coloured. */
void color_choose(enum color_when when);

/* Text up to color_end() has this colour; standard output only. */
void color_begin(FILE *f, enum color color);
void color_end(FILE *f);

#endif
