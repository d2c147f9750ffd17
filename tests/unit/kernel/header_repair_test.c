// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Headers with bits flipped at random come back byte by byte, or are left alone.
 *
 * build: tests/lib/gens_image.c kernel/core/generation.c kernel/core/header_repair.c kernel/core/layout.c kernel/core/place.c kernel/core/ring.c
 */
#include "gens_image.h"

#include <epitaph/header_repair.h>
#include <epitaph/layout.h>

#include "tap.h"

#define MANY_CPUS	70	/* their table takes more than a page */

static struct epitaph_header_repair work;
static struct gens_image image;
static struct boot boot;
static u8 *original;

static void start_search(void)
{
	work.next = work.nr_tried = 0;
}

/* The second of two slots, with the parity that the recorder makes of its table. */
static void make_image(u32 nr_cpus)
{
	u64 size = epitaph_layout_min(nr_cpus), page;

	gens_image_new(&image, 2 * size);
	boot = (struct boot){ .off = size, .size = size, .number = 3 };
	gens_image_record(&image, &boot, nr_cpus, 0, 0);
	for (page = 0; page < boot.table_size / EPITAPH_PAGE; page++)
		epitaph_parity_encode(&work.gf, image.data + boot.off + page * EPITAPH_PAGE,
				      image.data + boot.off + boot.table_size + page * EPITAPH_PARITY_SIZE);
	original = malloc(image.size);
	memcpy(original, image.data, image.size);
}

static void free_image(void)
{
	gens_image_free(&image);
	free(original);
}

/* Flips one of @one_of bits of the table and of what lies behind it. */
static u32 flip_bits(u32 one_of)
{
	u32 bits = (boot.table_size + EPITAPH_PAGE) * 8, n = bits / one_of, i;

	for (i = 0; i < n; i++) {
		u32 bit = gens_random(bits);

		image.data[boot.off + bit / 8] ^= 1 << bit % 8;
	}
	return n;
}

static bool header_is_whole(void)
{
	return !memcmp(image.data + boot.off, original + boot.off, boot.table_size);
}

static void come_back(u32 nr_cpus, u32 one_of, u32 at_least)
{
	u32 back = 0, i;

	make_image(nr_cpus);
	for (i = 0; i < 1000; i++) {
		memcpy(image.data, original, image.size);
		CHECK(flip_bits(one_of), "no bit");
		start_search();
		if (epitaph_header_repair(&work, image.data, image.size, NULL))
			CHECK(work.found == boot.off && header_is_whole() && work.nr_wrong,
			      "image %u: a header at %llx, %u wrong bytes", i,
			      (unsigned long long)work.found, work.nr_wrong);
		back += header_is_whole();
	}
	CHECK(back >= at_least, "%u of 1000", back);
	free_image();
}

static void header__comes_back_from_one_flip_of_ten_thousand(void)
{
	come_back(2, 10000, 1000);
	come_back(MANY_CPUS, 10000, 1000);
}

static void header__comes_back_from_one_flip_of_a_thousand(void)
{
	come_back(2, 1000, 950);
	come_back(MANY_CPUS, 1000, 900);
}

static void header__that_holds_is_left_alone(void)
{
	make_image(2);
	start_search();
	CHECK(!epitaph_header_repair(&work, image.data, image.size, NULL) && !work.nr_tried,
	      "%u were tried", work.nr_tried);
	CHECK(!memcmp(image.data, original, image.size), "changed");
	free_image();
}

static void header__without_parity_stays_as_it_is(void)
{
	make_image(2);
	memset(image.data + boot.off + boot.table_size, 0, EPITAPH_PARITY_SIZE);
	image.data[boot.off + 200] ^= 4;
	memcpy(original, image.data, image.size);
	start_search();
	CHECK(!epitaph_header_repair(&work, image.data, image.size, NULL), "taken");
	CHECK(work.nr_tried == 1 && !memcmp(image.data, original, image.size), "%u tried", work.nr_tried);
	free_image();
}

static void header__on_a_bad_page_is_not_touched(void)
{
	u8 bad[4096] = { 0 };
	u64 page;

	make_image(2);
	image.data[boot.off + 200] ^= 4;
	page = (boot.off + boot.table_size) / EPITAPH_PAGE;
	bad[page / 8] |= 1 << page % 8;
	start_search();
	CHECK(!epitaph_header_repair(&work, image.data, image.size, bad), "taken");
	start_search();
	CHECK(epitaph_header_repair(&work, image.data, image.size, NULL) && work.nr_wrong == 1, "not taken");
	free_image();
}

static void header__many_that_are_made_up_do_not_hold_the_boot_up(void)
{
	u64 off;

	make_image(2);
	for (off = 0; off < image.size; off += EPITAPH_PAGE)
		memcpy(image.data + off, original + boot.off, 8);
	memcpy(original, image.data, image.size);
	start_search();
	while (epitaph_header_repair(&work, image.data, image.size, NULL))
		;
	CHECK(work.nr_tried >= 60 && work.nr_tried <= 65, "%u were tried", work.nr_tried);
	free_image();
}

int main(void)
{
	gens_seed(18);
	epitaph_gf_init(&work.gf);
	TAP_RUN(header__comes_back_from_one_flip_of_ten_thousand);
	TAP_RUN(header__comes_back_from_one_flip_of_a_thousand);
	TAP_RUN(header__that_holds_is_left_alone);
	TAP_RUN(header__without_parity_stays_as_it_is);
	TAP_RUN(header__on_a_bad_page_is_not_touched);
	TAP_RUN(header__many_that_are_made_up_do_not_hold_the_boot_up);
	return tap_done();
}
