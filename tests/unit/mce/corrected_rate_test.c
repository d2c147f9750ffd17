// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How many corrected errors a bank had, and how many of them within a day.
 *
 * build: extractor/mce/corrected_rate.c extractor/mce/decode.c extractor/mce/intel.c extractor/mce/amd.c extractor/mce/amd_smca.c extractor/base/text.c extractor/base/escape.c extractor/base/json.c extractor/base/fast_digits.c -lm
 */
#include <stdlib.h>
#include <string.h>

#include "mce/corrected_rate.h"
#include "tap.h"

#define HOUR	(3600 * 1000000000ULL)
#define VALID	(1ULL << 63)
#define UC	(1ULL << 61)
#define OVER	(1ULL << 62)
#define MOST	20000

static struct mce list[MOST];

static struct mce *put_mce(u32 i, u64 time, u32 cpu, u32 bank)
{
	list[i] = (struct mce){ .status = VALID | 0x9f, .mono_ns = time, .cpu = cpu, .bank = bank };
	return &list[i];
}

static struct corrected_rate *rates_of(u32 nr, u32 *nr_rates)
{
	static struct corrected_rate *rates;

	free(rates);
	CHECK(!corrected_rates(&rates, nr_rates, list, nr), "memory");
	return rates;
}

static void corrected_rate__each_bank_of_each_cpu_has_its_own(void)
{
	struct corrected_rate *rates;
	u32 nr;

	put_mce(0, HOUR, 1, 7);
	put_mce(1, 2 * HOUR, 0, 7);
	put_mce(2, 3 * HOUR, 1, 7);
	put_mce(3, 4 * HOUR, 1, 8);
	put_mce(4, 5 * HOUR, 1, 7)->ipid = 5;
	put_mce(5, 6 * HOUR, 1, 7)->is_same = true;
	put_mce(6, 6 * HOUR, 1, 7)->status |= UC;
	put_mce(7, 11 * HOUR, 1, 7);
	rates = rates_of(8, &nr);
	CHECK(nr == 4, "%u kinds", nr);
	CHECK(rates[0].cpu == 1 && rates[0].bank == 7 && !rates[0].ipid && rates[0].nr == 3 && rates[0].most == 3,
	      "%llu, %llu within a day", rates[0].nr, rates[0].most);
	CHECK(rates[0].first == HOUR && rates[0].last == 11 * HOUR, "first and last");
	CHECK(corrected_rate_hourly(&rates[0]) > 0.199 && corrected_rate_hourly(&rates[0]) < 0.201, "2 in 10 hours");
	CHECK(rates[1].cpu == 0 && rates[2].bank == 8 && rates[3].ipid == 5, "in the order of the first");
	CHECK(!corrected_rate_hourly(&rates[1]), "one has no rate");
}

/* Ten in each day; then a day of which eleven lie in two of the calendar's. */
static void corrected_rate__a_day_begins_anywhere(void)
{
	struct corrected_rate *rates;
	u32 nr = 0, nr_rates, i;

	for (i = 0; i < 50; i++)
		put_mce(nr++, i * CORRECTED_DAY_NS / 10 + i, 0, 3);
	rates = rates_of(nr, &nr_rates);
	CHECK(nr_rates == 1 && rates[0].most == 10 && !corrected_rate_is_high(rates), "%llu", rates[0].most);
	put_mce(nr, list[nr - 1].mono_ns + 1, 0, 3);
	rates = rates_of(++nr, &nr_rates);
	CHECK(nr_rates == 1 && rates[0].most == 11 && corrected_rate_is_high(rates), "%llu", rates[0].most);
	CHECK(rates[0].nr == 51 && rates[0].records == 51 && !rates[0].at_least, "%llu", rates[0].nr);
}

/* One that begins last, behind many banks with one error each, is there too. */
static void corrected_rate__a_storm_of_many_banks_is_counted(void)
{
	struct corrected_rate *rates;
	u32 i, nr;
	u64 sum = 0;

	for (i = 0; i < MOST; i++)
		put_mce(i, i, i % 100, i % 7);
	put_mce(MOST - 2, MOST, 500, 1);
	put_mce(MOST - 1, MOST, 500, 1);
	rates = rates_of(MOST, &nr);
	CHECK(nr == 701 && rates[700].cpu == 500 && rates[700].nr == 2, "%u", nr);
	for (i = 0; i < nr; i++)
		sum += rates[i].most;
	CHECK(sum == MOST, "%llu", sum);
	rates_of(0, &nr);
	CHECK(!nr, "none");
}

/* Bits 52 to 38 of Intel, if MCG_CAP does not say that it has none; 0 in them is one error. */
static void corrected_rate__what_the_bank_counted_counts(void)
{
	struct corrected_rate *rates;
	u32 nr;

	put_mce(0, HOUR, 0, 7)->status |= 500ULL << 38;
	put_mce(1, 11 * HOUR, 0, 7)->status |= 700ULL << 38;
	put_mce(2, 12 * HOUR, 0, 8)->status |= 0x7fffULL << 38;
	put_mce(3, 13 * HOUR, 0, 9)->status |= 5ULL << 38 | OVER;
	put_mce(4, 14 * HOUR, 1, 7)->status |= 500ULL << 38;
	list[4].mcgcap = 0x816;
	put_mce(5, 15 * HOUR, 1, 8)->status |= 500ULL << 38;
	list[5].vendor = EPITAPH_VENDOR_AMD;
	rates = rates_of(6, &nr);
	CHECK(nr == 5 && rates[0].nr == 1200 && rates[0].most == 1200 && rates[0].records == 2, "%llu", rates[0].nr);
	CHECK(corrected_rate_is_high(rates) && !rates[0].at_least, "high");
	CHECK(corrected_rate_hourly(rates) > 69.9 && corrected_rate_hourly(rates) < 70.1, "700 in 10 hours");
	CHECK(rates[1].nr == 0x7fff && rates[1].at_least, "it may be more");
	CHECK(rates[2].nr == 5 && rates[2].at_least, "others were lost");
	CHECK(rates[3].nr == 1 && rates[4].nr == 1, "no count: %llu, %llu", rates[3].nr, rates[4].nr);
}

/* mcelog's number is one of memory modules. */
static void corrected_rate__only_memory_is_too_much(void)
{
	static const struct {
		u16 code;
		bool is_memory;
	} codes[] = { { 0x9f, true }, { 0x280, true }, { 0x10, false }, { 0x136, false }, { 0xe0f, false } };

	for (u32 i = 0; i < ARRAY_SIZE(codes); i++) {
		struct corrected_rate *rates;
		u32 nr, k;

		for (k = 0; k < 20; k++)
			put_mce(k, HOUR + k, 0, 3)->status = VALID | codes[i].code;
		rates = rates_of(20, &nr);
		CHECK(nr == 1 && rates[0].most == 20 && corrected_rate_is_high(rates) == codes[i].is_memory, "code 0x%x",
		      codes[i].code);
		list[10].status = VALID | 0x10;
		CHECK(!corrected_rate_is_high(rates_of(20, &nr)), "one of 0x%x is of a TLB", codes[i].code);
	}
}

int main(void)
{
	TAP_RUN(corrected_rate__each_bank_of_each_cpu_has_its_own);
	TAP_RUN(corrected_rate__a_day_begins_anywhere);
	TAP_RUN(corrected_rate__a_storm_of_many_banks_is_counted);
	TAP_RUN(corrected_rate__what_the_bank_counted_counts);
	TAP_RUN(corrected_rate__only_memory_is_too_much);
	return tap_done();
}
