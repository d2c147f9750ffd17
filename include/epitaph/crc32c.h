/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/**
 * DOC: CRC-32C
 *
 * What the sums of events are, with EPITAPH_INCOMPAT_CRC.  The polynomial is Castagnoli's,
 * 0x1edc6f41, with the bits of each byte from the lowest on; of the bytes "123456789" from
 * 0xffffffff on, it is the complement of 0xe3069283.  Nothing is inverted here.
 *
 * A register goes in and comes out: the low half of a number of 64 bits, whose upper half is 0.
 * x86-64 with SSE4.2 and arm64 with crc32 (all from Armv8.1 on) have an instruction for it, on
 * general registers; all else goes by a table.
 * Who uses this file asks the CPU whether it has one.
 *
 * Both sides use this file: the module, and who reads a region.  All functions: any context, NMI
 * included.
 */
#ifndef _EPITAPH_CRC32C_H
#define _EPITAPH_CRC32C_H

#include <linux/types.h>

/* Of a byte, the sum of what its bits are: with nothing behind it, and with one, two, three bytes of 0. */
#define EPITAPH_CRC_BITS(i, a, b, c, d, e, f, g, h) \
	(((i) & 1 ? (a) : 0) ^ ((i) & 2 ? (b) : 0) ^ ((i) & 4 ? (c) : 0) ^ ((i) & 8 ? (d) : 0) ^ \
	 ((i) & 16 ? (e) : 0) ^ ((i) & 32 ? (f) : 0) ^ ((i) & 64 ? (g) : 0) ^ ((i) & 128 ? (h) : 0))
#define EPITAPH_CRC_0(i) EPITAPH_CRC_BITS(i, 0xf26b8303U, 0xe13b70f7U, 0xc79a971fU, 0x8ad958cfU, \
					0x105ec76fU, 0x20bd8edeU, 0x417b1dbcU, 0x82f63b78U)
#define EPITAPH_CRC_1(i) EPITAPH_CRC_BITS(i, 0x13a29877U, 0x274530eeU, 0x4e8a61dcU, 0x9d14c3b8U, \
					0x3fc5f181U, 0x7f8be302U, 0xff17c604U, 0xfbc3faf9U)
#define EPITAPH_CRC_2(i) EPITAPH_CRC_BITS(i, 0xa541927eU, 0x4f6f520dU, 0x9edea41aU, 0x38513ec5U, \
					0x70a27d8aU, 0xe144fb14U, 0xc76580d9U, 0x8b277743U)
#define EPITAPH_CRC_3(i) EPITAPH_CRC_BITS(i, 0xdd45aab8U, 0xbf672381U, 0x7b2231f3U, 0xf64463e6U, \
					0xe964b13dU, 0xd725148bU, 0xaba65fe7U, 0x52a0c93fU)
#define EPITAPH_CRC_OF_4(n, i) EPITAPH_CRC_##n(i), EPITAPH_CRC_##n((i) + 1), \
			       EPITAPH_CRC_##n((i) + 2), EPITAPH_CRC_##n((i) + 3)
#define EPITAPH_CRC_OF_16(n, i) EPITAPH_CRC_OF_4(n, i), EPITAPH_CRC_OF_4(n, (i) + 4), \
				EPITAPH_CRC_OF_4(n, (i) + 8), EPITAPH_CRC_OF_4(n, (i) + 12)
#define EPITAPH_CRC_OF_64(n, i) EPITAPH_CRC_OF_16(n, i), EPITAPH_CRC_OF_16(n, (i) + 16), \
				EPITAPH_CRC_OF_16(n, (i) + 32), EPITAPH_CRC_OF_16(n, (i) + 48)
#define EPITAPH_CRC_OF_256(n) { EPITAPH_CRC_OF_64(n, 0), EPITAPH_CRC_OF_64(n, 64), \
				EPITAPH_CRC_OF_64(n, 128), EPITAPH_CRC_OF_64(n, 192) }

/**
 * epitaph_crc32c_by_table() - on every CPU
 * @crc: of what is before
 * @data: any alignment
 * @size: bytes
 */
static inline __u64 epitaph_crc32c_by_table(__u64 crc, const void *data, unsigned long size)
{
	static const __u32 of_byte[4][256] = {
		EPITAPH_CRC_OF_256(0), EPITAPH_CRC_OF_256(1), EPITAPH_CRC_OF_256(2), EPITAPH_CRC_OF_256(3)
	};
	const __u8 *p = data;
	__u32 word;

	/* Four bytes at once. */
	for (; size >= sizeof(word); p += sizeof(word), size -= sizeof(word)) {
		__builtin_memcpy(&word, p, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
		word = __builtin_bswap32(word);
#endif
		word ^= (__u32)crc;
		crc = of_byte[3][word & 0xff] ^ of_byte[2][word >> 8 & 0xff] ^
		      of_byte[1][word >> 16 & 0xff] ^ of_byte[0][word >> 24];
	}
	while (size--)
		crc = of_byte[0][(crc ^ *p++) & 0xff] ^ crc >> 8;
	return crc;
}

/*
 * EPITAPH_HAS_CRC32C - whether CPUs of this architecture may have an instruction for it
 * epitaph_crc32c_8(), epitaph_crc32c_4() - of a number as it is in memory; where there may be an
 *	instruction for it, only on a CPU that has it
 */
#ifdef __x86_64__
#define EPITAPH_HAS_CRC32C 1

static inline __attribute__((always_inline)) __u64 epitaph_crc32c_8(__u64 crc, __u64 bytes)
{
	__asm__("crc32q %1, %0" : "+r" (crc) : "rm" (bytes));
	return crc;
}

static inline __attribute__((always_inline)) __u64 epitaph_crc32c_4(__u64 crc, __u32 bytes)
{
	__asm__("crc32l %1, %k0" : "+r" (crc) : "rm" (bytes));
	return crc;
}
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define EPITAPH_HAS_CRC32C 1

static inline __attribute__((always_inline)) __u64 epitaph_crc32c_8(__u64 crc, __u64 bytes)
{
	__asm__(".arch_extension crc\n\tcrc32cx %w0, %w0, %x1" : "+r" (crc) : "r" (bytes));
	return crc;
}

static inline __attribute__((always_inline)) __u64 epitaph_crc32c_4(__u64 crc, __u32 bytes)
{
	__asm__(".arch_extension crc\n\tcrc32cw %w0, %w0, %w1" : "+r" (crc) : "r" (bytes));
	return crc;
}
#else
#define EPITAPH_HAS_CRC32C 0

static inline __u64 epitaph_crc32c_8(__u64 crc, __u64 bytes)
{
	return epitaph_crc32c_by_table(crc, &bytes, sizeof(bytes));
}

static inline __u64 epitaph_crc32c_4(__u64 crc, __u32 bytes)
{
	return epitaph_crc32c_by_table(crc, &bytes, sizeof(bytes));
}
#endif

/**
 * epitaph_crc32c() - as the CPU can
 * @is_fast: it has the instruction
 * @crc: of what is before
 * @words: of 32 bits, any alignment
 * @size: bytes of them
 */
static inline __u64 epitaph_crc32c(_Bool is_fast, __u64 crc, const void *words, unsigned long size)
{
	const __u8 *p = words;
	__u64 pair;
	__u32 last;

	if (!is_fast)
		return epitaph_crc32c_by_table(crc, words, size);
	for (; size >= sizeof(pair); p += sizeof(pair), size -= sizeof(pair)) {
		__builtin_memcpy(&pair, p, sizeof(pair));
		crc = epitaph_crc32c_8(crc, pair);
	}
	if (!size)
		return crc;
	__builtin_memcpy(&last, p, sizeof(last));
	return epitaph_crc32c_4(crc, last);
}

#undef EPITAPH_CRC_BITS
#undef EPITAPH_CRC_0
#undef EPITAPH_CRC_1
#undef EPITAPH_CRC_2
#undef EPITAPH_CRC_3
#undef EPITAPH_CRC_OF_4
#undef EPITAPH_CRC_OF_16
#undef EPITAPH_CRC_OF_64
#undef EPITAPH_CRC_OF_256

#endif /* _EPITAPH_CRC32C_H */
