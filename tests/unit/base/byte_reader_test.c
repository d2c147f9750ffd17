// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * build: @extractor
 */
#include <string.h>

#include "base/byte_reader.h"
#include "tap.h"

static const u8 raw[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 'a', 'b', 0 };

static void bytes__numbers_come_in_the_order_that_the_view_says(void)
{
	struct bytes le = bytes_of(raw, sizeof(raw), ORDER_LITTLE);
	struct bytes be = bytes_of(raw, sizeof(raw), ORDER_BIG);

	CHECK(bytes_u8(&le, 1) == 0x23, "%x", bytes_u8(&le, 1));
	CHECK(bytes_u16(&le, 1) == 0x4523, "%x", bytes_u16(&le, 1));
	CHECK(bytes_u32(&le, 1) == 0x89674523, "%x", bytes_u32(&le, 1));
	CHECK(bytes_u64(&le, 0) == 0xefcdab8967452301, "%llx", bytes_u64(&le, 0));
	CHECK(bytes_u16(&be, 1) == 0x2345, "%x", bytes_u16(&be, 1));
	CHECK(bytes_u32(&be, 1) == 0x23456789, "%x", bytes_u32(&be, 1));
	CHECK(bytes_u64(&be, 0) == 0x0123456789abcdef, "%llx", bytes_u64(&be, 0));
	CHECK(!le.overrun && !be.overrun, "%d %d", le.overrun, be.overrun);
}

static void bytes__a_read_outside_gives_zero_and_says_so(void)
{
	static const u64 offs[] = { 4, 8, 9, 1000, ~0ULL, ~0ULL - 7, 1ULL << 63 };

	for (size_t i = 0; i < ARRAY_SIZE(offs); i++) {
		struct bytes b = bytes_of(raw, 8, ORDER_LITTLE);
		u64 n = bytes_u64(&b, offs[i]);

		CHECK(!n && b.overrun, "%llx at %llx", n, offs[i]);
	}
}

static void bytes__overrun_stays_set(void)
{
	struct bytes b = bytes_of(raw, 4, ORDER_LITTLE);

	bytes_u64(&b, 0);
	CHECK(bytes_u32(&b, 0) == 0x67452301, "%x", bytes_u32(&b, 0));
	CHECK(b.overrun, "forgotten");
}

static void bytes__has_counts_to_the_last_byte_and_no_further(void)
{
	struct bytes b = bytes_of(raw, 4, ORDER_LITTLE);

	CHECK(bytes_has(&b, 0, 4) && bytes_has(&b, 4, 0) && bytes_has(&b, 3, 1), "within");
	CHECK(!bytes_has(&b, 0, 5) && !bytes_has(&b, 4, 1) && !bytes_has(&b, 5, 0), "outside");
	CHECK(!bytes_has(&b, 1, ~0ULL) && !bytes_has(&b, ~0ULL, 1), "sum beyond 64 bits");
	CHECK(!b.overrun, "has() must not set it");
}

static void bytes__a_view_of_a_view_ends_where_it_says(void)
{
	struct bytes b = bytes_of(raw, sizeof(raw), ORDER_BIG);
	struct bytes sub = bytes_sub(&b, 2, 4);

	CHECK(bytes_u32(&sub, 0) == 0x456789ab, "%x", bytes_u32(&sub, 0));
	CHECK(bytes_u16(&sub, 3) == 0 && sub.overrun, "read behind the view");
	CHECK(!b.overrun, "the outer view has not");
	sub = bytes_sub(&b, 8, 4);
	CHECK(!sub.size && sub.overrun && b.overrun, "%zu", sub.size);
}

static void bytes__a_string_ends_at_its_nul_or_where_it_may(void)
{
	struct bytes b = bytes_of(raw, sizeof(raw), ORDER_LITTLE);

	CHECK(bytes_strlen(&b, 8, 100) == 2, "%zu", bytes_strlen(&b, 8, 100));
	CHECK(bytes_strlen(&b, 8, 1) == 1, "%zu", bytes_strlen(&b, 8, 1));
	b.size = 9;
	CHECK(bytes_strlen(&b, 8, ~0ULL) == 1, "%zu", bytes_strlen(&b, 8, ~0ULL));
	CHECK(!b.overrun, "nothing outside was asked for");
	CHECK(!bytes_strlen(&b, 10, 1) && b.overrun, "starts outside");
}

static void bytes__sums_and_products_that_do_not_fit_are_told(void)
{
	u64 n;

	CHECK(add_fits(~0ULL - 1, 1, &n) && n == ~0ULL, "%llx", n);
	CHECK(!add_fits(~0ULL, 1, &n), "%llx", n);
	CHECK(mul_fits(1ULL << 32, (1ULL << 32) - 1, &n), "%llx", n);
	CHECK(!mul_fits(1ULL << 32, 1ULL << 32, &n), "%llx", n);
}

int main(void)
{
	TAP_RUN(bytes__numbers_come_in_the_order_that_the_view_says);
	TAP_RUN(bytes__a_read_outside_gives_zero_and_says_so);
	TAP_RUN(bytes__overrun_stays_set);
	TAP_RUN(bytes__has_counts_to_the_last_byte_and_no_further);
	TAP_RUN(bytes__a_view_of_a_view_ends_where_it_says);
	TAP_RUN(bytes__a_string_ends_at_its_nul_or_where_it_may);
	TAP_RUN(bytes__sums_and_products_that_do_not_fit_are_told);
	return tap_done();
}
