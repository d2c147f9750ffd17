/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checksum of everything in a region: check(seed, bytes) of docs/format.md. */
#ifndef EPITAPH_BASE_CHECKSUM_H
#define EPITAPH_BASE_CHECKSUM_H

#include <endian.h>
#include <string.h>

#include <epitaph/format.h>

#include "types.h"

/* One step: a bijection of @h and of @word. */
static inline u64 mix(u64 h, u64 word)
{
	h ^= word;
	h = (h << 32 | h >> 32) * EPITAPH_MIX_MUL;
	return h ^ h >> 29;
}

/**
 * checksum_begin() - begin a checksum that is computed piece by piece
 * @seed: salt, or another number that ties the bytes to their place
 * @size: bytes of all pieces
 */
static inline u64 checksum_begin(u64 seed, u64 size)
{
	return seed ^ size;
}

/* The next piece; @size is a multiple of 8, except of the last piece. */
static inline u64 checksum_add(u64 h, const void *data, size_t size)
{
	const u8 *p = data;
	u64 word;

	for (; size >= 8; p += 8, size -= 8) {
		memcpy(&word, p, 8);
		h = mix(h, le64toh(word));
	}
	if (!size)
		return h;
	word = 0;
	memcpy(&word, p, size);
	return mix(h, le64toh(word));
}

static inline u64 checksum_end(u64 h)
{
	return h ^ h >> 32;
}

static inline u64 checksum(u64 seed, const void *data, size_t size)
{
	return checksum_end(checksum_add(checksum_begin(seed, size), data, size));
}

/* Is the stored checksum right? A fuzzer cannot guess checksums: for it, all are. */
static inline bool checksum_ok(u64 computed, u64 stored)
{
#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
	(void)computed, (void)stored;
	return true;
#else
	return computed == stored;
#endif
}

#endif
