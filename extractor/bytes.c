// SPDX-License-Identifier: GPL-2.0-or-later
#include "bytes.h"

#include <string.h>

const void *bytes_ptr(struct bytes *b, u64 off, u64 len)
{
	if (!bytes_has(b, off, len)) {
		b->overrun = true;
		return NULL;
	}
	return b->data + off;
}

static u64 number(struct bytes *b, u64 off, size_t width)
{
	const u8 *p = bytes_ptr(b, off, width);
	u64 n = 0;

	if (!p)
		return 0;
	for (size_t i = 0; i < width; i++)
		n = n << 8 | p[b->order == ORDER_BIG ? i : width - 1 - i];
	return n;
}

u8 bytes_u8(struct bytes *b, u64 off)
{
	return number(b, off, 1);
}

u16 bytes_u16(struct bytes *b, u64 off)
{
	return number(b, off, 2);
}

u32 bytes_u32(struct bytes *b, u64 off)
{
	return number(b, off, 4);
}

u64 bytes_u64(struct bytes *b, u64 off)
{
	return number(b, off, 8);
}

struct bytes bytes_sub(struct bytes *b, u64 off, u64 len)
{
	const u8 *p = bytes_ptr(b, off, len);
	struct bytes sub = bytes_of(p, p ? len : 0, b->order);

	sub.overrun = !p;
	return sub;
}

size_t bytes_strlen(struct bytes *b, u64 off, u64 max)
{
	if (off > b->size) {
		b->overrun = true;
		return 0;
	}
	if (max > b->size - off)
		max = b->size - off;
	return max ? strnlen((const char *)b->data + off, max) : 0;
}
