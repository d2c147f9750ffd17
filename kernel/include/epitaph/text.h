/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Texts and payloads of any length, measured and copied by words: what most of such an event costs.
 */
#ifndef _EPITAPH_TEXT_H
#define _EPITAPH_TEXT_H

#include <epitaph/plat.h>

/**
 * epitaph_strlen() - strlen() by words
 * @s: a text
 *
 * Words are read as memory has them, aligned: none reaches into a page that the text is not in.
 *
 * Context: any, NMI included.
 */
static __always_inline size_t epitaph_strlen(const char *s)
{
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __SIZEOF_LONG__ == 8
	const u64 low = 0x0101010101010101ULL, high = 0x8080808080808080ULL;
	unsigned long skip = (uintptr_t)s & 7;
	const char *at = s - skip;
	u64 word, zero;

	/* What is before the text is no zero. */
	word = plat_read_aligned(at) | ((1ULL << skip * 8) - 1);
	plat_no_unroll
	while (!(zero = (word - low) & ~word & high)) {
		at += 8;
		word = plat_read_aligned(at);
	}
	return at - s + (__builtin_ctzll(zero) >> 3);
#else
	return strlen(s);
#endif
}

#define TEXT_MOVE(type, i)	__builtin_memcpy(to + (i), from + (i), sizeof(type))

/**
 * epitaph_copy() - memcpy() of few bytes
 * @to: not where @from is
 * @n: bytes; never more are read or written
 *
 * Context: any, NMI included.
 */
static __always_inline void epitaph_copy(void *to, const void *from, size_t n)
{
	size_t i;

	if (likely(n >= 8)) {
		plat_no_unroll
		for (i = 0; i + 8 < n; i += 8)
			TEXT_MOVE(u64, i);
		TEXT_MOVE(u64, n - 8);
	} else if (n >= 4) {
		TEXT_MOVE(u32, 0);
		TEXT_MOVE(u32, n - 4);
	} else if (n) {
		TEXT_MOVE(u8, 0);
		TEXT_MOVE(u8, n / 2);
		TEXT_MOVE(u8, n - 1);
	}
}

#endif /* _EPITAPH_TEXT_H */
