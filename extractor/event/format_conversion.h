/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The conversions of a print format ("%-5d"), with the arguments that libtraceevent gives them. */
#ifndef EPITAPH_EVENT_FORMAT_CONVERSION_H
#define EPITAPH_EVENT_FORMAT_CONVERSION_H

#include <event-parse.h>

#include "base/types.h"

/*
 * @format: what is behind the conversion
 * @args: and the arguments for it
 * @kind: its letter, the first of "pS"
 * @is_long: "%ld"
 * @star: the argument that says how wide, or how much of it; or NULL
 * @is_precision: how much of it, "%.*s"
 */
struct format_conversion {
	const char *format;
	struct tep_print_arg *args;
	char kind;
	bool is_long;
	struct tep_print_arg *star;
	bool is_precision;
};

/* Before the first one. */
static inline struct format_conversion format_conversions(const struct tep_event *event)
{
	return (struct format_conversion){ .format = event->print_fmt.format, .args = event->print_fmt.args };
}

/* Go to the next one.  Of two stars the last counts: the library takes no more than one. */
bool format_conversion_next(struct format_conversion *conversion);

#endif
