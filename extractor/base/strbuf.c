// SPDX-License-Identifier: GPL-2.0-or-later
#include "strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool strbuf_grow(struct strbuf *buf, size_t len)
{
	size_t room = (buf->size + len + 1) * 2;
	char *data;

	if (buf->failed || buf->size + len < buf->room)
		return !buf->failed;
	data = realloc(buf->data, room);
	if (!data) {
		buf->failed = true;
		return false;
	}
	buf->data = data;
	buf->room = room;
	return true;
}

void strbuf_add(struct strbuf *buf, const char *text, size_t len)
{
	if (!strbuf_grow(buf, len))
		return;
	memcpy(buf->data + buf->size, text, len);
	buf->size += len;
	buf->data[buf->size] = 0;
}

void strbuf_put(struct strbuf *buf, const char *fmt, ...)
{
	va_list args;
	int n;

	va_start(args, fmt);
	n = vsnprintf(NULL, 0, fmt, args);
	va_end(args);
	if (n < 0 || !strbuf_grow(buf, n))
		return;
	va_start(args, fmt);
	buf->size += vsnprintf(buf->data + buf->size, n + 1, fmt, args);
	va_end(args);
}

char *strbuf_take(struct strbuf *buf)
{
	char *data = buf->failed ? NULL : buf->data;

	if (buf->failed)
		free(buf->data);
	*buf = (struct strbuf){ 0 };
	return data;
}
