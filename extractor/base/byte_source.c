// SPDX-License-Identifier: GPL-2.0-or-later
#include "byte_source.h"

#include <string.h>

static ssize_t source_memory_read(void *priv, u64 off, void *buf, size_t size,
			   struct err *err)
{
	struct source_memory *mem = priv;

	(void)err;
	if (off >= mem->size)
		return 0;
	if (size > mem->size - off)
		size = mem->size - off;
	memcpy(buf, (const u8 *)mem->data + off, size);
	return size;
}

static bool source_memory_next(void *priv, u64 off, u64 *next, u64 *len)
{
	struct source_memory *mem = priv;

	if (off >= mem->size)
		return false;
	*next = off;
	*len = mem->size - off;
	return true;
}

struct source source_of_memory(struct source_memory *mem)
{
	return (struct source){ source_memory_read, source_memory_next, NULL, mem, NULL };
}
