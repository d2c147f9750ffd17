// SPDX-License-Identifier: GPL-2.0-or-later
#include "vmcoreinfo.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What stands behind "KEY=", up to the end of its line; NULL: no such line. */
static const char *find_vmcoreinfo_key(const struct dump *in, const char *key)
{
	const char *at = dump_vmcoreinfo(in, NULL);
	size_t len = strlen(key);

	while (at && *at) {
		if (!strncmp(at, key, len) && at[len] == '=')
			return at + len + 1;
		at = strchr(at, '\n');
		at = at ? at + 1 : NULL;
	}
	return NULL;
}

/* Base 0 is decimal, or hexadecimal with 0x in front. */
static bool parse_vmcoreinfo_number(const char *text, int base, u64 *ret)
{
	char *end;
	u64 n;

	if (!text || !*text || *text == ' ')
		return false;
	errno = 0;
	n = strtoull(text, &end, base);
	if (errno || end == text || (*end && *end != '\n' && *end != '\r'))
		return false;
	*ret = n;
	return true;
}

static const char *find_vmcoreinfo_name(const struct dump *in, const char *kind, const char *name)
{
	char key[128];
	int n = snprintf(key, sizeof(key), "%s(%s)", kind, name);

	return n < (int)sizeof(key) ? find_vmcoreinfo_key(in, key) : NULL;
}

bool vmcoreinfo_symbol(const struct dump *in, const char *name, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_name(in, "SYMBOL", name), 16, ret);
}

bool vmcoreinfo_number(const struct dump *in, const char *name, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_name(in, "NUMBER", name), 0, ret);
}

bool vmcoreinfo_offset(const struct dump *in, const char *name, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_name(in, "OFFSET", name), 10, ret);
}

bool vmcoreinfo_size(const struct dump *in, const char *name, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_name(in, "SIZE", name), 10, ret);
}

bool vmcoreinfo_hex(const struct dump *in, const char *key, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_key(in, key), 16, ret);
}

bool vmcoreinfo_decimal(const struct dump *in, const char *key, u64 *ret)
{
	return parse_vmcoreinfo_number(find_vmcoreinfo_key(in, key), 10, ret);
}

size_t vmcoreinfo_text(const struct dump *in, const char *key, char *buf, size_t size)
{
	const char *text = find_vmcoreinfo_key(in, key);
	size_t len = text ? strcspn(text, "\r\n") : 0;

	if (len >= size)
		len = size - 1;
	memcpy(buf, text ? text : "", len);
	buf[len] = '\0';
	return len;
}
