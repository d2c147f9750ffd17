// SPDX-License-Identifier: GPL-2.0-or-later
#include "byte_reader.h"

#include <string.h>

const void *bytes_ptr(struct bytes *b, u64 off, u64 len)
{
	if (!bytes_has(b, off, len)) {
		b->overrun = true;
		return NULL;
	}
	return b->data + off;
}

static bool is_swapped(const struct bytes *b)
{
	return (b->order == ORDER_BIG) != (ORDER_HOST == ORDER_BIG);
}

u8 bytes_u8(struct bytes *b, u64 off)
{
	const u8 *p = bytes_ptr(b, off, 1);

	return p ? *p : 0;
}

u16 bytes_u16(struct bytes *b, u64 off)
{
	const void *p = bytes_ptr(b, off, 2);
	u16 n = 0;

	if (p)
		memcpy(&n, p, 2);
	return is_swapped(b) ? __builtin_bswap16(n) : n;
}

u32 bytes_u32(struct bytes *b, u64 off)
{
	const void *p = bytes_ptr(b, off, 4);
	u32 n = 0;

	if (p)
		memcpy(&n, p, 4);
	return is_swapped(b) ? __builtin_bswap32(n) : n;
}

u64 bytes_u64(struct bytes *b, u64 off)
{
	const void *p = bytes_ptr(b, off, 8);
	u64 n = 0;

	if (p)
		memcpy(&n, p, 8);
	return is_swapped(b) ? __builtin_bswap64(n) : n;
}

u64 bytes_number(struct bytes *b, u64 off, u64 size, bool is_signed)
{
	u64 n;

	switch (size) {
	case 1:
		n = bytes_u8(b, off);
		return is_signed ? (u64)(int8_t)n : n;
	case 2:
		n = bytes_u16(b, off);
		return is_signed ? (u64)(int16_t)n : n;
	case 4:
		n = bytes_u32(b, off);
		return is_signed ? (u64)(s32)n : n;
	case 8:
		return bytes_u64(b, off);
	}
	return 0;
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
