// SPDX-License-Identifier: GPL-2.0-or-later
#include "format_text.h"

#include <stdlib.h>
#include <string.h>

#include "format_header.h"

#define MAX_TEXT	(64U << 10)
#define NO_PRINT	" \"\"\n"

char *format_text_copy(const char *text, u32 long_size, struct format_print *ret_print)
{
	size_t size = strlen(text);
	struct format_fields fields;
	struct token print;
	char *copy;

	if (size > MAX_TEXT || !token_text_is_whole(text) || !format_fields_read(&fields, text, &print))
		return NULL;
	copy = malloc(size + sizeof(NO_PRINT));
	if (!copy)
		return NULL;
	memcpy(copy, text, size + 1);
	print.at = copy + (print.at - text);
	*ret_print = format_print_read(print, &fields, long_size);
	ret_print->off = print.at - copy;
	if (!ret_print->is_known)
		memcpy((char *)print.at, NO_PRINT, sizeof(NO_PRINT));
	return copy;
}
