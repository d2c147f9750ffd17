// SPDX-License-Identifier: GPL-2.0-or-later
#include "print_name.h"

#include <stdio.h>
#include <string.h>

static const struct print_name_memory *memory;

void print_name_use(const struct print_name_memory *of)
{
	memory = of;
}

/* An address without a name is in hex. */
static size_t put_address(u64 addr, char *buf, size_t size)
{
	return snprintf(buf, size, "0x%llx", addr);
}

size_t print_name_where(u64 addr, char *buf, size_t size)
{
	if (!memory || !memory->symbol(addr, buf, size))
		return put_address(addr, buf, size);
	return strlen(buf);
}

/* "name [module]", without what lies in between. */
size_t print_name_function_at(u64 addr, char *buf, size_t size)
{
	const char *module;
	size_t len, rest;

	if (!memory || !memory->symbol(addr, buf, size))
		return put_address(addr, buf, size);
	len = strcspn(buf, "+");
	module = strstr(buf + len, " [");
	rest = module ? strlen(module) : 0;
	if (module)
		memmove(buf + len, module, rest);
	buf[len + rest] = 0;
	return len + rest;
}

size_t print_name_string(u64 addr, char *buf, size_t size)
{
	if (!addr)
		return snprintf(buf, size, "(null)");
	if (!memory || !memory->string(addr, buf, size))
		return put_address(addr, buf, size);
	return strlen(buf);
}

print_name_fn *print_name_function(const struct token *name)
{
	static const struct {
		const char *name;
		print_name_fn *put;
	} functions[] = {
		{ PRINT_NAME_WHERE, print_name_where },
		{ PRINT_NAME_FUNCTION, print_name_function_at },
		{ PRINT_NAME_STRING, print_name_string },
	};
	u32 i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (token_is(name, functions[i].name))
			return functions[i].put;
	return NULL;
}
