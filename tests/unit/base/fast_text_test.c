// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is faster than printf() and than one byte at a time, gives the same: digits, and where text
 * that needs no escape ends.
 *
 * build: @extractor
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/byte_writer.h"
#include "base/escape.h"
#include "base/fast_digits.h"
#include "tap.h"

#define ROUNDS	200000

static u64 seed = 1;

static u64 random_number(void)
{
	seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
	return seed >> 32 | seed << 32;
}

static void check_digits(u64 n)
{
	char buf[DIGITS_MAX], wanted[32];
	int len = snprintf(wanted, sizeof(wanted), "%llu", n);

	CHECK(digits_dec(buf, n) == (size_t)len && !memcmp(buf, wanted, len), "%s: %.*s", wanted, len, buf);
	len = snprintf(wanted, sizeof(wanted), "%llx", n);
	CHECK(digits_hex(buf, n) == (size_t)len && !memcmp(buf, wanted, len), "%s: %.*s", wanted, len, buf);
	snprintf(wanted, sizeof(wanted), "%06llu", n % 1000000);
	digits_six(buf, n % 1000000);
	CHECK(!memcmp(buf, wanted, 6), "%s: %.6s", wanted, buf);
	digits_fixed(buf, n, 6);
	CHECK(!memcmp(buf, wanted, 6), "%s: %.6s", wanted, buf);
	digits_fixed(buf, n, 3);
	CHECK(!memcmp(buf, wanted + 3, 3), "%s: %.3s", wanted + 3, buf);
}

static void fast_text__digits_are_those_of_printf(void)
{
	u64 power = 1;

	for (u32 i = 0; i < 64; i++) {
		check_digits(1ULL << i);
		check_digits((1ULL << i) - 1);
		check_digits(~(1ULL << i));
	}
	for (u32 i = 0; i < 20; i++, power *= 10) {
		check_digits(power);
		check_digits(power - 1);
		check_digits(power + 1);
	}
	for (u32 i = 0; i < ROUNDS; i++)
		check_digits(random_number() >> random_number() % 64);
}

static size_t plain_by_bytes(const u8 *text, size_t len, u8 c)
{
	size_t n = 0;

	while (n < len && text[n] >= 0x20 && text[n] < 0x7f && text[n] != '\\' && text[n] != c)
		n++;
	return n;
}

/* In a block of its own, so that ASan sees each byte that is read too far. */
static void fast_text__plain_text_ends_where_it_does(void)
{
	static const u8 special[] = { 0, 0x1f, 0x20, 0x7e, 0x7f, 0x80, 0xff, '\\', '"', '[', ']', 0x5b, '\n' };

	for (u32 i = 0; i < ROUNDS; i++) {
		size_t len = random_number() % 70, at = len ? random_number() % len : 0;
		u8 *text = malloc(len ? len : 1);

		for (size_t k = 0; k < len; k++)
			text[k] = 0x20 + random_number() % 0x5f;
		for (size_t k = 0; k < len; k++)
			if (random_number() % 2 && (text[k] == '\\' || text[k] == '"'))
				text[k] = 'x';
		if (len && i % 4)
			text[at] = special[random_number() % sizeof(special)];
		CHECK(escape_plain(text, len) == plain_by_bytes(text, len, '\\'), "%zu bytes, %#x at %zu", len,
		      len ? text[at] : 0, at);
		CHECK(escape_plain_unquoted(text, len) == plain_by_bytes(text, len, '"'),
		      "unquoted: %zu bytes, %#x at %zu", len, len ? text[at] : 0, at);
		free(text);
	}
}

static void fast_text__few_bytes_are_copied_as_they_are(void)
{
	for (size_t len = 0; len < 64; len++) {
		struct pack p = { .order = ORDER_LITTLE };
		u8 *from = malloc(len + 1);

		for (size_t i = 0; i < len; i++)
			from[i] = random_number();
		pack_bytes(&p, "head", 4);
		pack_bytes(&p, from, len);
		pack_bytes(&p, "tail", 4);
		CHECK(p.size == len + 8 && !memcmp(p.data, "head", 4) && !memcmp(p.data + 4, from, len) &&
		      !memcmp(p.data + 4 + len, "tail", 4), "%zu bytes", len);
		free(from);
		pack_free(&p);
	}
}

int main(void)
{
	TAP_RUN(fast_text__digits_are_those_of_printf);
	TAP_RUN(fast_text__plain_text_ends_where_it_does);
	TAP_RUN(fast_text__few_bytes_are_copied_as_they_are);
	return tap_done();
}
