/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Numbers into bytes, in the byte order of the file that is written. A lack of memory sets
 * @failed, which stays set: pack a whole struct, then check @failed once.
 */
#ifndef EPITAPH_BASE_BYTE_WRITER_H
#define EPITAPH_BASE_BYTE_WRITER_H

#include <string.h>

#include "byte_reader.h"

/**
 * struct pack - a growing buffer; pack_free() is needed afterwards
 * @size: bytes in @data, of @room allocated
 * @order: byte order of the numbers
 * @failed: there was no memory; further bytes are dropped
 */
struct pack {
	u8 *data;
	size_t size;
	size_t room;
	enum byte_order order;
	bool failed;
};

/* The slow path of pack_room(). */
u8 *pack_grow(struct pack *p, size_t size);

/* Room for @size more bytes: the caller fills them and adds to p->size. NULL: failed. */
static inline u8 *pack_room(struct pack *p, size_t size)
{
	if (p->failed || !p->data || p->room - p->size < size)
		return pack_grow(p, size);
	return p->data + p->size;
}

static inline u16 pack_order16(enum byte_order order, u16 n)
{
	return order == ORDER_HOST ? n : __builtin_bswap16(n);
}

static inline u32 pack_order32(enum byte_order order, u32 n)
{
	return order == ORDER_HOST ? n : __builtin_bswap32(n);
}

static inline u64 pack_order64(enum byte_order order, u64 n)
{
	return order == ORDER_HOST ? n : __builtin_bswap64(n);
}

/* memcpy() of mostly few bytes, without a call for these. */
static inline void copy_few(void *to, const void *from, size_t size)
{
	u8 *dst = to;
	const u8 *src = from;

	if (__builtin_constant_p(size) || size > 16) {
		memcpy(dst, src, size);
	} else if (size >= 8) {
		u64 first, last;

		memcpy(&first, src, 8);
		memcpy(&last, src + size - 8, 8);
		memcpy(dst, &first, 8);
		memcpy(dst + size - 8, &last, 8);
	} else if (size >= 4) {
		u32 first, last;

		memcpy(&first, src, 4);
		memcpy(&last, src + size - 4, 4);
		memcpy(dst, &first, 4);
		memcpy(dst + size - 4, &last, 4);
	} else {
		for (size_t i = 0; i < size; i++)
			dst[i] = src[i];
	}
}

static inline void pack_bytes(struct pack *p, const void *data, size_t size)
{
	u8 *to = pack_room(p, size);

	if (!to || !size)
		return;
	copy_few(to, data, size);
	p->size += size;
}

static inline void pack_u8(struct pack *p, u8 n)
{
	pack_bytes(p, &n, 1);
}

void pack_u16(struct pack *p, u16 n);
void pack_u32(struct pack *p, u32 n);
void pack_u64(struct pack *p, u64 n);

/* With its terminator. */
void pack_str(struct pack *p, const char *text);

/* Without one. */
__attribute__((format(printf, 2, 3)))
void pack_fmt(struct pack *p, const char *fmt, ...);

/* escape_text() of @len bytes, without a terminator. */
void pack_escaped(struct pack *p, const void *text, size_t len);

/* Zeroes, up to a multiple of @align, a power of two. */
void pack_align(struct pack *p, size_t align);

/* Overwrites the number at @off, which was packed before. */
void pack_set_u64(struct pack *p, size_t off, u64 n);

void pack_free(struct pack *p);

#endif
