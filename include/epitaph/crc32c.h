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

/* Of a byte: the sum of what its bits are. */
#define EPITAPH_CRC_1(i) (((i) & 1 ? 0xf26b8303U : 0) ^ ((i) & 2 ? 0xe13b70f7U : 0) ^ \
			  ((i) & 4 ? 0xc79a971fU : 0) ^ ((i) & 8 ? 0x8ad958cfU : 0) ^ \
			  ((i) & 16 ? 0x105ec76fU : 0) ^ ((i) & 32 ? 0x20bd8edeU : 0) ^ \
			  ((i) & 64 ? 0x417b1dbcU : 0) ^ ((i) & 128 ? 0x82f63b78U : 0))
#define EPITAPH_CRC_4(i) EPITAPH_CRC_1(i), EPITAPH_CRC_1((i) + 1), \
			 EPITAPH_CRC_1((i) + 2), EPITAPH_CRC_1((i) + 3)
#define EPITAPH_CRC_16(i) EPITAPH_CRC_4(i), EPITAPH_CRC_4((i) + 4), \
			  EPITAPH_CRC_4((i) + 8), EPITAPH_CRC_4((i) + 12)
#define EPITAPH_CRC_64(i) EPITAPH_CRC_16(i), EPITAPH_CRC_16((i) + 16), \
			  EPITAPH_CRC_16((i) + 32), EPITAPH_CRC_16((i) + 48)

/**
 * epitaph_crc32c_by_table() - on every CPU
 * @crc: of what is before
 * @data: any alignment
 * @size: bytes
 */
static inline __u64 epitaph_crc32c_by_table(__u64 crc, const void *data, unsigned long size)
{
	static const __u32 of_byte[256] = {
		EPITAPH_CRC_64(0), EPITAPH_CRC_64(64), EPITAPH_CRC_64(128), EPITAPH_CRC_64(192)
	};
	const __u8 *p = data;

	while (size--)
		crc = of_byte[(crc ^ *p++) & 0xff] ^ crc >> 8;
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

#undef EPITAPH_CRC_1
#undef EPITAPH_CRC_4
#undef EPITAPH_CRC_16
#undef EPITAPH_CRC_64

#endif /* _EPITAPH_CRC32C_H */
