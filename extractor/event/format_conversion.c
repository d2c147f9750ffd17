// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_conversion.h"

#include <string.h>

static struct tep_print_arg *take_arg(struct format_conversion *conversion)
{
	struct tep_print_arg *arg = conversion->args;

	if (arg)
		conversion->args = arg->next;
	return arg;
}

bool format_conversion_next(struct format_conversion *conversion)
{
	const char *p = strchr(conversion->format, '%');
	const char *end;

	conversion->star = NULL;
	conversion->is_long = false;
	if (!p)
		return false;
	end = p + 1 + strspn(p + 1, "-+ #0123456789.*hlLqjzt");
	while (++p < end) {
		conversion->is_long |= *p == 'l';
		if (*p != '*')
			continue;
		conversion->star = take_arg(conversion);
		conversion->is_precision = p[-1] == '.';
	}
	conversion->kind = *end;
	conversion->format = *end ? end + 1 : end;
	if (*end && *end != '%')
		take_arg(conversion);
	return true;
}
