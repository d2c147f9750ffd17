// SPDX-License-Identifier: GPL-2.0-or-later
#include "pasted_text.h"

#include <string.h>

#include "base/types.h"

#define JOINED	4	/* times in one line */

/* A page of the web has "[&lt;ffffffff81a54f3e&gt;] schedule+0x2e/0x80": @n bytes become fewer. */
static void decode_entities(char *text, size_t *n)
{
	static const struct {
		const char *name;
		char c;
	} entities[] = { { "&lt;", '<' }, { "&gt;", '>' }, { "&amp;", '&' }, { "&quot;", '"' }, { "&#39;", '\'' } };
	size_t used = 0;

	if (!memmem(text, *n, "[&lt;", 5) && !memmem(text, *n, "&lt;TASK&gt;", 12) && !memmem(text, *n, "&lt;IRQ&gt;", 11))
		return;
	for (size_t i = 0; i < *n; i++) {
		text[used] = text[i];
		for (size_t k = 0; text[i] == '&' && k < ARRAY_SIZE(entities); k++) {
			size_t len = strlen(entities[k].name);

			if (*n - i < len || memcmp(text + i, entities[k].name, len))
				continue;
			text[used] = entities[k].c;
			i += len - 1;
			break;
		}
		used++;
	}
	*n = used;
}

static bool is_pasted_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Is "[   12.345678]" at @at? */
static bool is_pasted_time(const char *at, const char *end)
{
	u32 digits = 0;

	if (end - at < 10 || *at++ != '[')
		return false;
	while (at < end && *at == ' ')
		at++;
	if (at == end || !is_pasted_digit(*at))
		return false;
	while (at < end && is_pasted_digit(*at))
		at++;
	if (at == end || *at++ != '.')
		return false;
	for (; at < end && is_pasted_digit(*at); at++)
		digits++;
	return digits == 6 && at < end && *at == ']';
}

/* The next time of the line from @at on; NULL: none. */
static char *next_pasted_time(char *at, const char *end)
{
	for (; at < end && (at = memchr(at, '[', end - at)); at++)
		if (is_pasted_time(at, end))
			return at;
	return NULL;
}

/* A log of which all newlines became blanks. */
static void part_lines(char *text, size_t n)
{
	char *end = text + n;

	for (char *line = text, *stop; line < end; line = stop + 1) {
		u32 nr = 0;

		stop = memchr(line, '\n', end - line) ?: end;
		for (char *at = line; (at = next_pasted_time(at, stop)); at++)
			nr++;
		for (char *at = line; nr >= JOINED && (at = next_pasted_time(at, stop)); at++)
			if (at > line && at[-1] == ' ')
				at[-1] = '\n';
	}
}

void pasted_text_mend(char *text, size_t *n)
{
	decode_entities(text, n);
	part_lines(text, *n);
}
