// SPDX-License-Identifier: GPL-2.0-or-later
#include "byte_writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "escape.h"

u8 *pack_grow(struct pack *p, size_t size)
{
	size_t room = p->room ? p->room : 256;
	u8 *data;

	if (p->failed)
		return NULL;
	while (room - p->size < size)
		room *= 2;
	data = realloc(p->data, room);
	if (!data) {
		p->failed = true;
		return NULL;
	}
	p->data = data;
	p->room = room;
	return data + p->size;
}

void pack_u16(struct pack *p, u16 n)
{
	n = pack_order16(p->order, n);
	pack_bytes(p, &n, 2);
}

void pack_u32(struct pack *p, u32 n)
{
	n = pack_order32(p->order, n);
	pack_bytes(p, &n, 4);
}

void pack_u64(struct pack *p, u64 n)
{
	n = pack_order64(p->order, n);
	pack_bytes(p, &n, 8);
}

void pack_str(struct pack *p, const char *text)
{
	pack_bytes(p, text, strlen(text) + 1);
}

void pack_fmt(struct pack *p, const char *fmt, ...)
{
	va_list ap, again;
	u8 *to;
	int n;

	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(NULL, 0, fmt, ap);
	to = n < 0 ? NULL : pack_room(p, n + 1);
	if (to)
		p->size += vsnprintf((char *)to, n + 1, fmt, again);
	va_end(again);
	va_end(ap);
}

void pack_escaped(struct pack *p, const void *text, size_t len)
{
	u8 *to = pack_room(p, 4 * len + 1);

	if (to)
		p->size += escape_text((char *)to, 4 * len + 1, text, len);
}

void pack_align(struct pack *p, size_t align)
{
	size_t n = -p->size & (align - 1);
	u8 *to = pack_room(p, n);

	if (!to)
		return;
	memset(to, 0, n);
	p->size += n;
}

void pack_set_u64(struct pack *p, size_t off, u64 n)
{
	n = pack_order64(p->order, n);
	if (!p->failed)
		memcpy(p->data + off, &n, 8);
}

void pack_free(struct pack *p)
{
	free(p->data);
	*p = (struct pack){ .order = p->order };
}
