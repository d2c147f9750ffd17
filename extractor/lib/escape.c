// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include <epitaph/epitaph.h>

#include "base/escape.h"

size_t epitaph_escape(char *buffer, size_t room, const char *text, size_t size)
{
	if (!text)
		size = 0;
	return escape_text(buffer, room, text, size == SIZE_MAX ? strlen(text) : size);
}
