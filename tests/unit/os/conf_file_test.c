// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Sizes of settings and options.
 *
 * build: @extractor
 */
#include "os/conf_file.h"
#include "tap.h"

static void size__is_a_number_with_a_unit(void)
{
	static const struct { const char *text; u64 size; } good[] = {
		{ "0", 0 }, { "17", 17 }, { "512M", 512ULL << 20 }, { "3T", 3ULL << 40 },
		{ "1048575T", 1048575ULL << 40 }, { "1023K", 1023ULL << 10 },
	};
	size_t i;
	u64 size;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++)
		CHECK(conf_file_size(good[i].text, &size) && size == good[i].size, "%s", good[i].text);
}

/* 2^24 T are 2^64: what is left of them in 64 bits is 0. */
static void size__too_large_is_refused(void)
{
	static const char *const bad[] = {
		"1048576T", "16777216T", "16777217T", "17592186044416M", "999999999999999G", "9999999999999999", "K", "", "5 M", "5Mi",
	};
	size_t i;
	u64 size;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		CHECK(!conf_file_size(bad[i], &size), "%s", bad[i]);
}

int main(void)
{
	TAP_RUN(size__is_a_number_with_a_unit);
	TAP_RUN(size__too_large_is_refused);
	return tap_done();
}
