/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lines of a console's text that the kernel printed; docs/console.md. */
#ifndef EPITAPH_CONSOLE_CONSOLE_LINE_H
#define EPITAPH_CONSOLE_CONSOLE_LINE_H

#include <stddef.h>

#include "recording/klog.h"

/**
 * struct console_line - one
 * @prefix: has a time
 * @priority: level and 8 times facility, or -1
 * @text: @len bytes behind time, caller and host; not escaped
 */
struct console_line {
	struct klog_prefix prefix;
	s32 priority;
	const char *text;
	u32 len;
};

/**
 * console_line_next() - the next line of the kernel
 * @at: where to look, moved behind the line; @end: of the text
 * @nr_others: NULL, or counts lines that are not the kernel's
 *
 * Return: false at the end.
 */
bool console_line_next(const char **at, const char *end, struct console_line *line, u64 *nr_others);

/* Does the text begin like that? */
bool console_line_begins(const struct console_line *line, const char *words);

/* Does it have these words? */
bool console_line_has(const struct console_line *line, const char *words);

#endif
