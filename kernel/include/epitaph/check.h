/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The checks of format.h, on the writing side. */
#ifndef _EPITAPH_CHECK_H
#define _EPITAPH_CHECK_H

#include <epitaph/format.h>
#include <epitaph/plat.h>

static inline u64 epitaph_mix(u64 h, u64 word)
{
	h = rol64(h ^ word, 32) * EPITAPH_MIX_MUL;
	return h ^ h >> 29;
}

/**
 * epitaph_check() - the check of a run of bytes
 * @seed: what ties the bytes to their generation: its salt, or 0
 * @data: any alignment
 * @size: bytes
 *
 * Context: any, NMI included.
 * Return: check(seed, bytes) of EPITAPH_MIX_MUL's comment in format.h.
 */
static inline u64 epitaph_check(u64 seed, const void *data, size_t size)
{
	const u8 *p = data;
	u64 h = seed ^ size;
	__le64 tail = 0;
	size_t i;

	for (i = 0; i + 8 <= size; i += 8)
		h = epitaph_mix(h, get_unaligned_le64(p + i));
	if (i < size) {
		memcpy(&tail, p + i, size - i);
		h = epitaph_mix(h, le64_to_cpu(tail));
	}
	return h ^ h >> 32;
}

#endif /* _EPITAPH_CHECK_H */
