// SPDX-License-Identifier: GPL-2.0-or-later
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool terminal_obeys(int fd)
{
	const char *term = getenv("TERM");

	return term && *term && strcmp(term, "dumb") && isatty(fd);
}
