// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The parity of a page, held against the definition of its code: a multiplication and an evaluation
 * that share nothing with the tables of parity.h.
 *
 * build: -I kernel
 */
#include <stdlib.h>
#include <string.h>

#include <epitaph/parity.h>

#include "base/types.h"
#include "tap.h"

#define NR_PAGES	300

static struct epitaph_gf gf;

static u32 multiply(u32 a, u32 b)
{
	u32 product = 0;

	for (; b; b >>= 1, a = a << 1 ^ (a & 0x80 ? 0x11d : 0))
		product ^= b & 1 ? a : 0;
	return product;
}

static void fill_page(u8 *page)
{
	for (u32 i = 0; i < EPITAPH_PAGE; i++)
		page[i] = random();
}

/* Adds an error to @n different bytes of codeword @word. */
static void hit_codeword(u8 *page, u8 *parity, u32 word, u32 n)
{
	u8 *bytes[EPITAPH_PARITY_LONGEST];
	u32 nr = 0, i, k;

	for (i = word; i < EPITAPH_PAGE; i += EPITAPH_PARITY_CODEWORDS)
		bytes[nr++] = page + i;
	for (i = 0; i < EPITAPH_PARITY_ROOTS; i++)
		bytes[nr++] = parity + word * EPITAPH_PARITY_ROOTS + i;
	for (i = 0; i < n; i++) {
		u8 *hit;

		k = i + random() % (nr - i);
		hit = bytes[k];
		bytes[k] = bytes[i];
		*hit ^= 1 + random() % 255;
	}
}

static void parity__is_zero_at_each_root(void)
{
	u8 page[EPITAPH_PAGE], parity[EPITAPH_PARITY_SIZE];

	fill_page(page);
	epitaph_parity_encode(&gf, page, parity);
	for (u32 word = 0; word < EPITAPH_PARITY_CODEWORDS; word++)
		for (u32 root = 1, nr = 0; nr < EPITAPH_PARITY_ROOTS; nr++, root = multiply(root, 2)) {
			u32 at = 0;

			for (u32 i = word; i < EPITAPH_PAGE; i += EPITAPH_PARITY_CODEWORDS)
				at = multiply(at, root) ^ page[i];
			for (u32 i = 0; i < EPITAPH_PARITY_ROOTS; i++)
				at = multiply(at, root) ^ parity[word * EPITAPH_PARITY_ROOTS + i];
			CHECK(!at, "codeword %u at root %u is %u", word, nr, at);
		}
}

static void parity__corrects_up_to_eight_bytes_of_each_codeword(void)
{
	u8 page[EPITAPH_PAGE], parity[EPITAPH_PARITY_SIZE], hit[EPITAPH_PAGE], hit_parity[EPITAPH_PARITY_SIZE];

	for (u32 n = 0; n < NR_PAGES; n++) {
		u32 corrected, failed, expected = 0;

		fill_page(page);
		epitaph_parity_encode(&gf, page, parity);
		memcpy(hit, page, sizeof(hit));
		memcpy(hit_parity, parity, sizeof(parity));
		for (u32 word = 0; word < EPITAPH_PARITY_CODEWORDS; word++) {
			u32 errors = (n + word) % 9;

			hit_codeword(hit, hit_parity, word, errors);
			expected += errors;
		}
		corrected = epitaph_parity_decode(&gf, hit, hit_parity, &failed);
		CHECK(corrected == expected && !failed && !memcmp(hit, page, sizeof(page)) &&
		      !memcmp(hit_parity, parity, sizeof(parity)),
		      "page %u: %u of %u corrected, %u codewords failed", n, corrected, expected, failed);
	}
}

static void parity__says_that_nine_are_too_many(void)
{
	u8 page[EPITAPH_PAGE], parity[EPITAPH_PARITY_SIZE], hit[EPITAPH_PAGE];
	u32 said = 0, all = 0, failed;

	for (u32 n = 0; n < NR_PAGES; n++) {
		fill_page(page);
		epitaph_parity_encode(&gf, page, parity);
		for (u32 word = 0; word < EPITAPH_PARITY_CODEWORDS; word++)
			hit_codeword(page, parity, word, 9 + random() % 40);
		memcpy(hit, page, sizeof(hit));
		epitaph_parity_decode(&gf, page, parity, &failed);
		said += failed;
		all += EPITAPH_PARITY_CODEWORDS;
		CHECK(failed < EPITAPH_PARITY_CODEWORDS || !memcmp(hit, page, sizeof(hit)), "page %u was changed", n);
	}
	/* By chance one in 8! lies as near to another codeword. */
	CHECK(said + 3 >= all && said < all + 1, "%u of %u", said, all);
}

static void parity__corrects_152_bytes_in_a_row(void)
{
	u8 page[EPITAPH_PAGE], parity[EPITAPH_PARITY_SIZE], hit[EPITAPH_PAGE];
	u32 failed, at, i;

	fill_page(page);
	epitaph_parity_encode(&gf, page, parity);
	for (at = 0; at <= EPITAPH_PAGE - 152; at += 61) {
		memcpy(hit, page, sizeof(hit));
		for (i = 0; i < 152; i++)
			hit[at + i] = ~hit[at + i];
		epitaph_parity_decode(&gf, hit, parity, &failed);
		CHECK(!failed && !memcmp(hit, page, sizeof(page)), "a row at %u: %u codewords failed", at, failed);
	}
}

static void parity__of_zeroes_is_zeroes(void)
{
	u8 page[EPITAPH_PAGE] = { 0 }, parity[EPITAPH_PARITY_SIZE];
	u32 i, any = 0;

	epitaph_parity_encode(&gf, page, parity);
	for (i = 0; i < sizeof(parity); i++)
		any |= parity[i];
	CHECK(!any, "%x", any);
}

int main(void)
{
	srandom(1);
	epitaph_gf_init(&gf);
	TAP_RUN(parity__is_zero_at_each_root);
	TAP_RUN(parity__corrects_up_to_eight_bytes_of_each_codeword);
	TAP_RUN(parity__says_that_nine_are_too_many);
	TAP_RUN(parity__corrects_152_bytes_in_a_row);
	TAP_RUN(parity__of_zeroes_is_zeroes);
	return tap_done();
}
