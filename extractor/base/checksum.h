/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The check that everything in a region carries; see format.h, EPITAPH_MIX_MUL. */
#ifndef EPITAPH_BASE_CHECKSUM_H
#define EPITAPH_BASE_CHECKSUM_H

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
 * checksum_begin() - begin a check that is computed piece by piece
 * @seed: salt, or what else ties the bytes to their place
 * @size: bytes in all
 */
static inline u64 checksum_begin(u64 seed, u64 size)
{
	return seed ^ size;
}

/**
 * checksum_add() - the next piece
 * @size: a multiple of 8, but for the last piece
 */
u64 checksum_add(u64 h, const void *data, size_t size);

static inline u64 checksum_end(u64 h)
{
	return h ^ h >> 32;
}

/* check(seed, bytes) of the format. */
u64 checksum(u64 seed, const void *data, size_t size);

/*
 * Does a stored check hold?  A fuzzer does not guess checks: for it, all of them do.
 */
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
