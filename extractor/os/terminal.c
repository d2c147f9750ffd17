// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool enabled;
static bool begun;

bool terminal_obeys(int fd)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && isatty(fd);
}

void color_choose(enum color_when when)
{
	const char *none = getenv("NO_COLOR");

	enabled = when == COLOR_ALWAYS ||
		  (when == COLOR_AUTO && !(none && *none) && terminal_obeys(STDOUT_FILENO));
}

void color_begin(FILE *f, enum color color)
{
	static const char *const sequences[] = {
		[COLOR_CRASH] = "\033[1;31m",
		[COLOR_MCE] = "\033[1;35m",
		[COLOR_LOST] = "\033[33m",
		[COLOR_DAMAGE] = "\033[36m",
	};

	if (!enabled || f != stdout)
		return;
	fputs(sequences[color], f);
	begun = true;
}

void color_end(FILE *f)
{
	if (!begun || f != stdout)
		return;
	fputs("\033[m", f);
	begun = false;
}
