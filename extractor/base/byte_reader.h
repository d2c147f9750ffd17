/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers out of bytes of a hostile file.
 *
 * No other code casts raw bytes to a type. A read outside the view gives 0 and sets @overrun,
 * which stays set: read a whole struct, then check @overrun once. Offsets and lengths have 64
 * bits and may have any value.
 */
#ifndef EPITAPH_BASE_BYTE_READER_H
#define EPITAPH_BASE_BYTE_READER_H

#include <string.h>

#include "types.h"

enum byte_order {		/* as EI_DATA of ELF */
	ORDER_LITTLE = 1,
	ORDER_BIG = 2,
	ORDER_HOST = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__ ? ORDER_BIG : ORDER_LITTLE,
};

/**
 * struct bytes - a view of bytes that the caller owns
 * @order: byte order of the numbers
 * @overrun: a read went outside the view
 */
struct bytes {
	const u8 *data;
	size_t size;
	enum byte_order order;
	bool overrun;
};

static inline struct bytes bytes_of(const void *data, size_t size,
				    enum byte_order order)
{
	return (struct bytes){ .data = data, .size = size, .order = order };
}

/* Does the view have @len bytes at @off? Does not set @overrun. */
static inline bool bytes_has(const struct bytes *b, u64 off, u64 len)
{
	return off <= b->size && len <= b->size - off;
}

/* The @len bytes at @off; NULL, and @overrun is set, where the view has fewer. */
const void *bytes_ptr(struct bytes *b, u64 off, u64 len);

u8 bytes_u8(struct bytes *b, u64 off);
u16 bytes_u16(struct bytes *b, u64 off);
u32 bytes_u32(struct bytes *b, u64 off);
u64 bytes_u64(struct bytes *b, u64 off);

/* Can a number have @size bytes? */
static inline bool is_number_size(u64 size)
{
	return size == 1 || size == 2 || size == 4 || size == 8;
}

/* The number of @size bytes at @off, its sign extended if @is_signed; 0: no number has that size. */
u64 bytes_number(struct bytes *b, u64 off, u64 size, bool is_signed);

/* The @len bytes at @off as a view; empty, with @overrun set in both, where @b has fewer. */
struct bytes bytes_sub(struct bytes *b, u64 off, u64 len);

/* Length of the string at @off: up to its NUL, @max bytes or the end of the view. */
size_t bytes_strlen(struct bytes *b, u64 off, u64 max);

/* Are all @size bytes at @data zero? */
static inline bool all_zero(const void *data, size_t size)
{
	const u8 *p = data;

	return !size || (!p[0] && !memcmp(p, p + 1, size - 1));
}

/* A sum or product of numbers of the file; false if it does not fit 64 bits. */
static inline bool add_fits(u64 a, u64 b, u64 *ret)
{
	return !__builtin_add_overflow(a, b, ret);
}

static inline bool mul_fits(u64 a, u64 b, u64 *ret)
{
	return !__builtin_mul_overflow(a, b, ret);
}

#endif
