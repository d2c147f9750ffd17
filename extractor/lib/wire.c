// SPDX-License-Identifier: GPL-2.0-or-later
#include "wire.h"

u32 wire_take_u32(struct bytes *b, u64 *off)
{
	u32 n = bytes_u32(b, *off);

	*off += 4;
	return n;
}

u64 wire_take_u64(struct bytes *b, u64 *off)
{
	u64 n = bytes_u64(b, *off);

	*off += 8;
	return n;
}

const char *wire_take_text(struct bytes *b, u64 *off, size_t *len)
{
	u32 n = wire_take_u32(b, off);
	const char *text = bytes_ptr(b, *off, (u64)n + 1);

	*off += (u64)n + 1;
	if (len)
		*len = text ? n : 0;
	if (text && text[n]) {
		b->overrun = true;
		return NULL;
	}
	return text;
}
