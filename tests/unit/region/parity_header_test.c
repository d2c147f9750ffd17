// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Headers that parity brings back: with section tables of several pages, of several generations, and
 * somewhere in a dump.
 *
 * build: @extractor
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include <epitaph/parity.h>

#include "base/checksum.h"
#include "region/generation.h"
#include "tap.h"

#define SIZE	(1U << 20)	/* of a generation */
#define BEFORE	(3U << 20)	/* where the region is in the dump, but for a page */

static int fd;

static u32 any_below(u32 n)
{
	return random() % n;
}

static void write_header(u8 *base, u32 index, u32 nr, u32 table_size, u64 self)
{
	struct epitaph_header *h = (void *)(base + self);

	*h = (struct epitaph_header){
		.magic = htole64(~EPITAPH_MAGIC_INVERTED), .major = htole16(EPITAPH_MAJOR),
		.header_size = htole32(sizeof(*h)), .section_size = htole32(sizeof(struct epitaph_section)),
		.region_size = htole64((u64)nr * SIZE), .gen_size = htole64(SIZE),
		.gen_index = htole32(index), .nr_gens = htole32(nr), .number = htole64(index + 1),
		.self_off = htole64(self), .copy_off = htole64(SIZE - table_size),
		.table_size = htole32(table_size), .salt = htole64(index + 77), .clock_khz = htole32(1000),
	};
	h->check = htole64(checksum(0, h, table_size));
}

/* A generation without sections, whose table has something in it all the same, and its parity. */
static void format_generation(u8 *base, u32 index, u32 nr, u32 table_size)
{
	struct epitaph_gf gf;
	u32 i;

	for (i = sizeof(struct epitaph_header); i < table_size; i++)
		base[i] = base[SIZE - table_size + i] = any_below(256);
	write_header(base, index, nr, table_size, 0);
	write_header(base, index, nr, table_size, SIZE - table_size);
	epitaph_gf_init(&gf);
	for (i = 0; i < table_size / EPITAPH_PAGE; i++)
		epitaph_parity_encode(&gf, base + i * EPITAPH_PAGE,
				      base + table_size + i * EPITAPH_PARITY_SIZE);
}

/* @n bits in each page of the table, some of them in the magic; the copy is lost. */
static void damage_header(u8 *base, u32 table_size, u32 n)
{
	u32 page, i;

	for (page = 0; page < table_size / EPITAPH_PAGE; page++)
		for (i = 0; i < n; i++)
			base[page * EPITAPH_PAGE + 8 + any_below(EPITAPH_PAGE - 8)] ^= 1 << any_below(8);
	for (i = 0; i < n && i < 8; i++)
		base[i] ^= 1 << any_below(8);
	memset(base + SIZE - table_size, 0, table_size);
}

static void put_image(const u8 *image, u64 size, u64 at)
{
	if (ftruncate(fd, 0) || ftruncate(fd, at + size) || pwrite(fd, image, size, at) != (ssize_t)size)
		abort();
}

/* How many generations are found, and how many of them by parity. */
static u32 find(u32 *nr_repaired, u64 *table_size)
{
	struct generation_set *set = NULL;
	struct dump *in = NULL;
	u32 i, nr = 0;

	*nr_repaired = 0;
	*table_size = 0;
	if (!dump_open_fd(&in, dup(fd), NULL) && !generation_set_find(&set, in, NULL)) {
		nr = set->nr;
		for (i = 0; i < nr; i++)
			*nr_repaired += set->gen[i].is_repaired;
		*table_size = nr ? set->gen[0].hdr.table_size : 0;
	}
	generation_set_free(set);
	dump_close(in);
	return nr;
}

static void parity_header__has_a_table_of_any_size(void)
{
	static const u32 pages[] = { 1, 2, 5, 64 };
	u32 i, n, nr, nr_repaired;
	u64 table_size;

	for (i = 0; i < ARRAY_SIZE(pages); i++)
		for (n = 1; n <= 16; n *= 4) {
			u32 size = pages[i] * EPITAPH_PAGE;
			u8 *image = calloc(1, SIZE);

			format_generation(image, 0, 1, size);
			damage_header(image, size, n);
			put_image(image, SIZE, 0);
			nr = find(&nr_repaired, &table_size);
			CHECK(nr == 1 && nr_repaired == 1 && table_size == size,
			      "%u bits in each of %u pages: %u found, %u repaired", n, pages[i], nr, nr_repaired);
			free(image);
		}
}

static void parity_header__is_found_anywhere(void)
{
	u8 *image = calloc(2, SIZE);
	u32 nr, nr_repaired;
	u64 table_size;

	format_generation(image, 0, 2, 2 * EPITAPH_PAGE);
	format_generation(image + SIZE, 1, 2, EPITAPH_PAGE);
	damage_header(image, 2 * EPITAPH_PAGE, 10);
	damage_header(image + SIZE, EPITAPH_PAGE, 5);
	put_image(image, 2 * SIZE, BEFORE + EPITAPH_PAGE);
	nr = find(&nr_repaired, &table_size);
	CHECK(nr == 2 && nr_repaired == 2, "%u found, %u repaired", nr, nr_repaired);
	free(image);
}

/* A page that begins nearly as a header does, without its parity, is none. */
static void parity_header__needs_its_parity(void)
{
	u8 *image = calloc(1, SIZE);
	u32 nr, nr_repaired;
	u64 table_size;

	format_generation(image, 0, 1, EPITAPH_PAGE);
	memset(image + EPITAPH_PAGE, 0, EPITAPH_PARITY_SIZE);
	damage_header(image, EPITAPH_PAGE, 3);
	put_image(image, SIZE, 0);
	nr = find(&nr_repaired, &table_size);
	CHECK(!nr, "%u found", nr);
	free(image);
}

int main(void)
{
	fd = memfd_create("image", 0);
	if (fd < 0)
		return 99;
	srandom(7);
	TAP_RUN(parity_header__has_a_table_of_any_size);
	TAP_RUN(parity_header__is_found_anywhere);
	TAP_RUN(parity_header__needs_its_parity);
	return tap_done();
}
