// SPDX-License-Identifier: GPL-2.0-or-later
#include "parse_number.h"

#include <errno.h>
#include <stdlib.h>

bool parse_number(const char *text, u64 max, u64 *ret)
{
	char *end;
	u64 n;

	if (*text < '0' || *text > '9')
		return false;
	errno = 0;
	n = strtoull(text, &end, 10);
	if (errno || *end || n > max)
		return false;
	*ret = n;
	return true;
}

bool parse_seconds(const char *text, u64 *ret_ns)
{
	u64 whole = 0, part = 0, unit = 1000000000;

	if (!((*text >= '0' && *text <= '9') || (*text == '.' && text[1])))
		return false;
	for (; *text >= '0' && *text <= '9' && whole < 10000000000; text++)
		whole = whole * 10 + (*text - '0');
	if (*text == '.')
		for (text++; *text >= '0' && *text <= '9' && unit > 1; text++) {
			part = part * 10 + (*text - '0');
			unit /= 10;
		}
	if (*text || whole >= 10000000000)
		return false;
	*ret_ns = whole * 1000000000 + part * unit;
	return true;
}
