// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Numbers of bytes: none of 2^64 or more is taken for another one.
 *
 * build: kernel/core/bytes.c -I kernel
 */
#include "core/bytes.h"
#include "tap.h"

static const struct {
	const char *text;
	u64 bytes;
	const char *rest;
} fits[] = {
	{ "0", 0, "" }, { "1", 1, "" }, { "4096", 4096, "" }, { "16M", 16 << 20, "" }, { "4k", 4096, "" },
	{ "1G!0x20000000", 1 << 30, "!0x20000000" }, { "0x20000000 quiet", 0x20000000, " quiet" },
	{ "0x1fK", 31 << 10, "" }, { "010", 8, "" }, { "0", 0, "" }, { "0x", 0, "x" }, { "08", 0, "8" },
	{ "2T", 2ULL << 40, "" }, { "3P", 3ULL << 50, "" }, { "15E", 15ULL << 60, "" }, { "1KK", 1024, "K" },
	{ "1 K", 1, " K" }, { "0xffffffffffffffff", ~0ULL, "" }, { "18446744073709551615", ~0ULL, "" },
	{ "01777777777777777777777", ~0ULL, "" }, { "18014398509481983K", ~0ULL << 10, "" },
	{ "0XaBcG", 0xabcULL << 30, "" }, { "0000000000000000000000000017", 15, "" },
};

static const char *const too_large[] = {
	"18446744073709551616", "18446744073709551615K", "18014398509481984K", "0x10000000000000000",
	"02000000000000000000000", "16E", "17179869184G", "17179869185G", "99999999999999999999999999999",
	"36893488147419103233", "0xffffffffffffffffffffffffK",
};

static const char *const none[] = { "", "K", "M", "much", "-1", "+1", " 1", "x10", "'1'", "\n" };

static void bytes__are_what_is_written(void)
{
	for (size_t i = 0; i < sizeof(fits) / sizeof(*fits); i++) {
		const char *end;
		u64 n = 7;

		CHECK(!epitaph_bytes_parse(fits[i].text, &end, &n) && n == fits[i].bytes && !strcmp(end, fits[i].rest),
		      "%s: %llu, '%s'", fits[i].text, (unsigned long long)n, end);
		CHECK(!epitaph_bytes_only(fits[i].text, &n) == !*fits[i].rest, "%s alone", fits[i].text);
	}
}

static void bytes__of_two_to_the_64_and_more_are_refused(void)
{
	for (size_t i = 0; i < sizeof(too_large) / sizeof(*too_large); i++) {
		const char *end;
		u64 n = 7;

		CHECK(epitaph_bytes_parse(too_large[i], &end, &n) == -ERANGE && n == 7 && !*end, "%s: %llu", too_large[i],
		      (unsigned long long)n);
		CHECK(epitaph_bytes_only(too_large[i], &n) == -ERANGE && n == 7, "%s: %llu", too_large[i],
		      (unsigned long long)n);
	}
}

static void bytes__are_a_number(void)
{
	for (size_t i = 0; i < sizeof(none) / sizeof(*none); i++) {
		const char *end;
		u64 n = 7;

		CHECK(epitaph_bytes_parse(none[i], &end, &n) == -EINVAL && n == 7 && end == none[i], "'%s'", none[i]);
		CHECK(epitaph_bytes_only(none[i], &n) == -EINVAL && n == 7, "'%s'", none[i]);
	}
}

int main(void)
{
	TAP_RUN(bytes__are_what_is_written);
	TAP_RUN(bytes__of_two_to_the_64_and_more_are_refused);
	TAP_RUN(bytes__are_a_number);
	return tap_done();
}
