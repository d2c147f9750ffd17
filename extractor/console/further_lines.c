// SPDX-License-Identifier: GPL-2.0-or-later
#include "further_lines.h"

#include <string.h>

#include "console_line.h"
#include "dated_log.h"
#include "decoded_prefix.h"

#define LEAST	12	/* columns of the shortest of them, "[Jun26 01:37] " and "kern  :info  : " are longer */

/* A part of the text. */
struct span {
	char *at;
	char *end;
};

static size_t count_blanks(struct span line)
{
	char *at = line.at;

	while (at < line.end && *at == ' ')
		at++;
	return at - line.at;
}

/* Behind time or date, level, host and caller; 0: it is no line of the kernel, or has none of these. */
static size_t column_of_text(struct span line)
{
	const char *at = line.at, *words;
	struct console_line parsed;

	if (console_line_next(&at, line.end, &parsed, NULL))
		return parsed.text - line.at;
	words = dated_line_words(line.at, line.end);
	if (words)
		return words - line.at;
	at = line.at;
	return decoded_prefix_skip(&at, line.end) < 0 ? 0 : at - line.at;
}

/* A serial line ends its lines otherwise, and what programs print there is indented as they like. */
static bool is_of_serial_line(struct span line)
{
	return line.end > line.at && line.end[-1] == '\r';
}

/* What says how much later a line was printed than the one before; that is not at all. */
static void print_no_delay(struct span prefix)
{
	char *at = memchr(prefix.at, '<', prefix.end - prefix.at) ?: memchr(prefix.at, '+', prefix.end - prefix.at);

	/* "<6>[" is a priority, and "+02:00" a zone. */
	if (!at || at == prefix.at || (*at == '+' && at[-1] != ' '))
		return;
	for (; at < prefix.end; at++)
		if (*at >= '0' && *at <= '9')
			*at = '0';
}

/* Return: whether @line is one of the record of @first, whose text begins in @column. */
static bool mend_further_line(struct span line, struct span first, size_t column)
{
	const char *at = line.at;
	struct console_line parsed;

	if (!column || count_blanks(line) < column || is_of_serial_line(line) || is_of_serial_line(first) ||
	    console_line_next(&at, line.end, &parsed, NULL))
		return false;
	memcpy(line.at, first.at, column);
	print_no_delay((struct span){ line.at, line.at + column });
	return true;
}

void further_lines_mend(char *text, size_t size)
{
	struct span first = { text, text }, line = { text, text }, all = { text, text + size };
	size_t column = 0;
	bool is_column_known = true;

	for (; line.at < all.end; line.at = line.end + 1) {
		line.end = memchr(line.at, '\n', all.end - line.at) ?: all.end;
		if (count_blanks(line) >= LEAST) {
			if (!is_column_known)
				column = column_of_text(first);
			is_column_known = true;
			if (mend_further_line(line, first, column))
				continue;
		}
		first = line;
		is_column_known = false;
	}
}
