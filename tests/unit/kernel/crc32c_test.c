// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * CRC-32C by the instruction, by the table, and bit by bit from the polynomial: the same.
 *
 * build: kernel/core/ring.c
 */
#include <stdlib.h>

#include <epitaph/ring_fast.h>

#include "tap.h"

u64 epitaph_clock(void)
{
	return 0;
}

/* As the standards have it: from all ones on, and inverted at the end. */
static u32 standard(u64 (*crc)(u64, const void *, size_t), const void *data, size_t size)
{
	return ~(u32)crc(0xffffffff, data, size);
}

static u64 by_table(u64 crc, const void *data, size_t size)
{
	return epitaph_crc32c_by_table(crc, data, size);
}

static u64 as_the_cpu_can(u64 crc, const void *data, size_t size)
{
	return epitaph_crc32c(plat_has_crc32(), crc, data, size);
}

static u64 by_bits(u64 crc, const void *data, size_t size)
{
	const u8 *p = data;
	u32 rest = crc;
	int bit;

	for (; size; size--, p++)
		for (rest ^= *p, bit = 0; bit < 8; bit++)
			rest = rest >> 1 ^ (rest & 1 ? 0x82f63b78 : 0);
	return rest;
}

static u32 random_word(void)
{
	static u64 x = 0x9e3779b97f4a7c15;

	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x >> 16;
}

static void crc32c__of_the_digits_is_the_known_one(void)
{
	CHECK(standard(by_table, "123456789", 9) == 0xe3069283, "%08x", standard(by_table, "123456789", 9));
	CHECK(standard(by_bits, "123456789", 9) == 0xe3069283, "%08x", standard(by_bits, "123456789", 9));
}

/* RFC 3720, B.4: 32 bytes of zeroes, of ones, and rising. */
static void crc32c__of_what_rfc_3720_has_is_that(void)
{
	u8 bytes[32] = { 0 };
	u32 i;

	CHECK(standard(as_the_cpu_can, bytes, 32) == 0x8a9136aa, "zeroes");
	memset(bytes, 0xff, 32);
	CHECK(standard(as_the_cpu_can, bytes, 32) == 0x62a8ab43, "ones");
	for (i = 0; i < 32; i++)
		bytes[i] = i;
	CHECK(standard(as_the_cpu_can, bytes, 32) == 0x46dd794e, "rising");
	CHECK(standard(by_table, bytes, 32) == 0x46dd794e, "rising, by table");
}

static void crc32c__is_the_same_by_each_way(void)
{
	u32 words[64], i, k;

	for (i = 0; i < 20000; i++) {
		u32 crc = random_word(), nr = random_word() % 60, at = random_word() % 13;
		const u8 *data = (const u8 *)words + at;
		u64 want;

		for (k = 0; k < 64; k++)
			words[k] = random_word();
		want = by_bits(crc, data, nr * 4);
		CHECK(by_table(crc, data, nr * 4) == want, "table, %u words", nr);
		CHECK(as_the_cpu_can(crc, data, nr * 4) == want, "%u words", nr);
	}
}

/* The first word is not in the ring yet when its event is summed. */
static void crc32c__of_an_event_is_that_of_its_bytes(void)
{
	__le32 event[40], whole[40];
	u32 i, k;

	for (i = 0; i < 20000; i++) {
		u32 sum = random_word(), words = 1 + random_word() % 39, word = random_word();
		u64 want;

		for (k = 0; k < 40; k++)
			event[k] = whole[k] = random_word();
		whole[0] = cpu_to_le32(word);
		want = by_bits(sum, whole, words * 4);
		CHECK(event_sum(sum, word, event, words) == want, "%u words", words);
		CHECK(epitaph_ring_sum(sum, word, event, words) == want, "%u words, by table", words);
	}
}

int main(void)
{
	TAP_RUN(crc32c__of_the_digits_is_the_known_one);
	TAP_RUN(crc32c__of_what_rfc_3720_has_is_that);
	TAP_RUN(crc32c__is_the_same_by_each_way);
	TAP_RUN(crc32c__of_an_event_is_that_of_its_bytes);
	printf("# this CPU has %s instruction for it\n", plat_has_crc32() ? "an" : "no");
	return tap_done();
}
