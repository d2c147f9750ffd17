// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * kdump-compressed dumps.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c -lkdumpfile @extractor
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "dump_check.h"

/* Of the CPU: a busy host is no fault. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static const enum make_method methods[] = {
	MAKE_RAW, MAKE_ZLIB, MAKE_LZO, MAKE_SNAPPY, MAKE_ZSTD,
};

/* One kind of dump, read whole by both readers. */
static void check_whole(const struct make *make)
{
	struct image image = make_kdump(make);
	struct dump *in = open_image(&image, image.size);

	if (in) {
		check_pages(in, &image, make, image.size);
		CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
		dump_close(in);
	}
	check_oracle(&image);
	image_free(&image);
}

static void kdump__every_method_gives_the_pages_that_were_put_in(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		check_whole(&(struct make){ .method = methods[i] });
}

static void kdump__every_header_version_is_read(void)
{
	for (unsigned int version = 1; version <= 6; version++)
		check_whole(&(struct make){ .version = version, .method = MAKE_LZO });
}

static void kdump__big_endian_is_read(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		check_whole(&(struct make){ .big = true, .method = methods[i] });
	for (unsigned int version = 1; version <= 6; version++)
		check_whole(&(struct make){ .big = true, .version = version });
}

static void kdump__pages_of_64_KiB_are_read(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		check_whole(&(struct make){ .page_size = 65536, .method = methods[i] });
}

static void kdump__every_machine_and_page_size_is_read(void)
{
	static const struct make makes[] = {
		{ .machine = MAKE_ARM64 }, { .machine = MAKE_ARM64, .page_size = 16384 },
		{ .machine = MAKE_ARM64, .page_size = 65536 },
		{ .machine = MAKE_S390X, .big = true },
		{ .machine = MAKE_PPC64, .big = true, .page_size = 65536 },
		{ .machine = MAKE_PPC64, .big = true },
	};

	for (size_t i = 0; i < ARRAY_SIZE(makes); i++)
		for (size_t m = 0; m < ARRAY_SIZE(methods); m++) {
			struct make make = makes[i];

			make.method = methods[m];
			check_whole(&make);
		}
}

static void kdump__each_page_may_be_compressed_another_way(void)
{
	check_whole(&(struct make){ .method = MAKE_MIXED });
	check_whole(&(struct make){ .method = MAKE_MIXED, .big = true });
	check_whole(&(struct make){ .method = MAKE_MIXED, .page_size = 16384 });
	check_whole(&(struct make){ .method = MAKE_MIXED, .page_size = 65536 });
}

static void kdump__one_bitmap_serves_as_both(void)
{
	struct make make = { .one_bitmap = true };
	struct image image = make_kdump(&make);
	struct dump *in = open_image(&image, image.size);

	check_pages(in, &image, &make, image.size);
	dump_close(in);
	image_free(&image);
}

static void kdump__vmcoreinfo_is_found_from_version_3_on(void)
{
	for (unsigned int version = 1; version <= 6; version++) {
		struct make make = { .version = version };
		struct image image = make_kdump(&make);
		struct dump *in = open_image(&image, image.size);
		size_t len = 0;
		const char *text = dump_vmcoreinfo(in, &len);

		CHECK(!text == (version < 3), "version %u: %s", version, text);
		CHECK(!text || (!strcmp(text, make_vmcoreinfo) && len == strlen(text)),
		      "version %u: %s", version, text);
		dump_close(in);
		image_free(&image);
	}
}

static void kdump__vmcoreinfo_is_also_found_among_the_notes(void)
{
	struct image image = make_kdump(&(struct make){ .big = true });
	struct dump *in;
	const char *text;

	image_put(&image, 4096 + 32, 0, 8, true);	/* no offset of its own */
	image_put(&image, 4096 + 40, 0, 8, true);
	in = open_image(&image, image.size);
	text = dump_vmcoreinfo(in, NULL);
	CHECK(text && !strcmp(text, make_vmcoreinfo), "%s", text);
	dump_close(in);
	image_free(&image);
}

static void kdump__kind_names_the_method(void)
{
	static const char * const kinds[] = {
		"kdump-compressed dump (uncompressed)", "kdump-compressed dump (zlib)",
		"kdump-compressed dump (lzo)", "kdump-compressed dump (snappy)",
		"kdump-compressed dump (zstd)",
	};

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++) {
		struct image image = make_kdump(&(struct make){ .method = methods[i] });
		struct dump *in = open_image(&image, image.size);

		CHECK(!strcmp(dump_kind(in), kinds[i]), "%s", dump_kind(in));
		dump_close(in);
		image_free(&image);
	}
}

static void kdump__segments_are_the_runs_of_ram(void)
{
	static const struct dump_segment want[] = {
		{ 0, 5 * 4096 }, { 8 * 4096, 42 * 4096 }, { 64 * 4096, 32 * 4096 },
	};
	struct image image = make_kdump(&(struct make){ .method = MAKE_ZLIB });
	struct dump *in = open_image(&image, image.size);

	CHECK(dump_nr_segments(in) == 3, "%zu", dump_nr_segments(in));
	for (size_t i = 0; i < 3 && i < dump_nr_segments(in); i++) {
		struct dump_segment s = dump_segment(in, i);

		CHECK(s.paddr == want[i].paddr && s.size == want[i].size,
		      "%#llx +%#llx", s.paddr, s.size);
	}
	dump_close(in);
	image_free(&image);
}

static void kdump__next_data_tells_the_dumped_pages_only(void)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });
	struct dump *in = open_image(&image, image.size);
	size_t want = 0;
	u64 next, len;

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		want += make_is_dumped(pfn);
	CHECK(count_data_pages(in) == want, "%zu, not %zu", count_data_pages(in), want);
	CHECK(dump_next_data(in, 3 * 4096 + 1, &next, &len) && next == 4 * 4096 && len == 4096,
	      "%#llx +%#llx", next, len);
	CHECK(!dump_next_data(in, 96 * 4096, &next, &len), "%#llx", next);
	CHECK(!dump_next_data(in, ~0ULL, &next, &len), "%#llx", next);
	dump_close(in);
	image_free(&image);
}

static void kdump__a_read_goes_on_over_pages_and_ends_at_the_first_hole(void)
{
	static u8 got[16 * 4096], want[4096];
	struct image image = make_kdump(&(struct make){ .method = MAKE_ZLIB });
	struct dump *in = open_image(&image, image.size);
	ssize_t n = dump_read(in, 11 * 4096 + 96, got, sizeof(got), NULL);

	CHECK(n == 6 * 4096 - 96, "%zd", n);		/* 17 % 7 is 3 */
	make_page(16, 4096, want);
	CHECK(!memcmp(got + 5 * 4096 - 96, want, 4096), "page 16");
	CHECK(dump_read(in, 10 * 4096, got, 1, NULL) == 0, "page 10 was left out");
	CHECK(dump_read(in, ~0ULL - 5, got, sizeof(got), NULL) == 0, "end of the address space");
	dump_close(in);
	image_free(&image);
}

/* --- truncation ---------------------------------------------------------- */

/* Right, absent or refused, at any length: what is there is read, exactly. */
static bool check_cut(const struct image *image, const struct make *make, size_t size)
{
	struct err err = ERR_INIT;
	struct dump *in;
	char words[64];

	if (dump_open_fd(&in, image_fd(image, size), &err)) {
		CHECK(size < 464 && err.code == (size < 8 ? ERR_NOT_OURS : ERR_CORRUPT),
		      "%zu bytes: %s", size, err.msg);
		return false;
	}
	if (size >= 8) {
		snprintf(words, sizeof(words), "truncated at byte %zu of %zu", size, image->size);
		if (size < image->desc_off[95] + 24)	/* nothing says where the pages end */
			snprintf(words, sizeof(words), "truncated at byte %zu of", size);
		check_pages(in, image, make, size);
		CHECK(has_damage(in, words) == (size < image->size), "not \"%s\": %s", words,
		      dump_damage(in, 0));
	}
	dump_close(in);
	return true;
}

static void kdump__cut_at_every_boundary_the_rest_is_read(void)
{
	for (size_t m = 0; m < ARRAY_SIZE(methods); m++) {
		struct make make = { .method = methods[m], .big = m & 1 };
		struct image image = make_kdump(&make);

		for (size_t i = 0; i < image.nr_edges; i++)
			for (int d = -1; d <= 1; d++)
				if (image.edges[i] + d <= image.size)
					check_cut(&image, &make, image.edges[i] + d);
		image_free(&image);
	}
}

static void kdump__cut_anywhere_the_rest_is_read(void)
{
	struct make make = { .method = MAKE_ZSTD };
	struct image image = make_kdump(&make);

	srand(7);
	for (int i = 0; i < 1000; i++)
		check_cut(&image, &make, 1 + rand() % image.size);
	image_free(&image);
}

/* --- damage -------------------------------------------------------------- */

static void kdump__the_incomplete_flag_is_told(void)
{
	struct make make = { .method = MAKE_LZO, .incomplete = true };
	struct image image = make_kdump(&make);
	struct dump *in = open_image(&image, image.size);

	CHECK(has_damage(in, "incomplete"), "%s", dump_damage(in, 0));
	check_pages(in, &image, &make, image.size);
	dump_close(in);
	image_free(&image);
}

/* As makedumpfile leaves it on a full disk: descriptors are written behind the pages. */
static void kdump__pages_that_were_not_written_are_counted(void)
{
	for (unsigned int first = 0; first < MAKE_PAGES; first += 5) {
		struct make make = { .method = MAKE_ZLIB, .incomplete = true };
		struct image image = make_kdump(&make);
		size_t nr = 0, all = 0;
		struct dump *in;
		char words[64];

		for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++) {
			all += make_is_dumped(pfn);
			if (pfn < first || !make_is_dumped(pfn))
				continue;
			memset(image.data + image.desc_off[pfn], 0, 24);
			image.page_end[pfn] = 0;
			nr++;
		}
		in = open_image(&image, image.size);
		check_pages(in, &image, &make, image.size);
		snprintf(words, sizeof(words), "the last %zu of %zu pages were not written", nr, all);
		CHECK(has_damage(in, words), "%s: %s", words, dump_damage(in, 1));
		CHECK(!has_damage(in, "page 0x"), "each is noted");
		CHECK(count_data_pages(in) == all - nr, "%zu of %zu", count_data_pages(in), all - nr);
		dump_close(in);
		image_free(&image);
	}
}

/* 2^28 pages, all of them dumped by the bitmaps, of which two were written. */
static void kdump__a_tib_that_was_not_written_is_not_walked(void)
{
	enum { BLOCKS = 8192 };
	struct make make = { .method = MAKE_RAW };
	struct image image = make_kdump(&make);
	int fd = memfd_create("tib", MFD_CLOEXEC);
	u64 descs = (2 + 2 * BLOCKS) * 4096ULL, pages = descs + (24ULL << 28);
	u8 *ones = malloc(BLOCKS * 4096);
	double start = seconds();
	struct dump *in = NULL;

	memset(ones, 0xff, BLOCKS * 4096);
	image_put(&image, 436, 2 * BLOCKS, 4, false);
	image_put(&image, 4096 + 96, 1 << 28, 8, false);
	CHECK(pwrite(fd, image.data, 8192, 0) == 8192, "write");
	for (int i = 0; i < 2; i++)
		CHECK(pwrite(fd, ones, BLOCKS * 4096, (2 + (u64)i * BLOCKS) * 4096) == BLOCKS * 4096, "write");
	for (u64 i = 0; i < 2; i++) {
		u64 desc[3] = { pages + i * 4096, 4096 };

		CHECK(pwrite(fd, desc, 24, descs + i * 24) == 24, "write");
	}
	CHECK(!ftruncate(fd, pages + 8192), "ftruncate");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(count_data_pages(in) == 2, "%zu", count_data_pages(in));
	CHECK(has_damage(in, "the last 268435454 of 268435456 pages were not written"), "%s",
	      dump_damage(in, 0));
	CHECK(seconds() - start < 5, "%f s", seconds() - start);
	dump_close(in);
	free(ones);
	image_free(&image);
}

/* Put @value into a descriptor: a damage note names that page, its neighbours are read. */
static void damage_desc(size_t off, size_t width, u64 value, const char *words)
{
	struct make make = { .method = MAKE_ZLIB };
	struct image image = make_kdump(&make);
	struct dump *in;
	u8 page[4096], want[4096];

	image_put(&image, image.desc_off[13] + off, value, width, false);
	in = open_image(&image, image.size);
	CHECK(dump_read(in, 13 * 4096, page, 4096, NULL) == 0, "page 13 was read");
	CHECK(has_damage(in, "page 0xd000") && has_damage(in, words), "%s: %s", words,
	      dump_damage(in, 0));
	make_page(14, 4096, want);
	CHECK(dump_read(in, 14 * 4096, page, 4096, NULL) == 4096 && !memcmp(page, want, 4096),
	      "page 14 suffers");
	dump_close(in);
	image_free(&image);
}

static void kdump__a_bad_descriptor_costs_its_page_only(void)
{
	damage_desc(0, 8, ~0ULL, "behind the end");
	damage_desc(0, 8, 1ULL << 63, "behind the end");
	damage_desc(8, 4, 4097, "more than a page");
	damage_desc(8, 4, ~0U, "more than a page");
	damage_desc(8, 4, 0, "does not decompress");
	damage_desc(8, 4, 20, "does not decompress");
	damage_desc(12, 4, MAKE_ZLIB | MAKE_LZO, "two ways");
	damage_desc(12, 4, MAKE_LZO, "lzo");
	damage_desc(12, 4, MAKE_SNAPPY, "decompress");
	damage_desc(12, 4, MAKE_ZSTD, "zstd");
	damage_desc(12, 4, MAKE_RAW, "less than a page");
}

/* Page 13 of a dump with other pages put in the place of this one's. */
static void swap_page(enum make_method method, uint32_t other_size, const char *words)
{
	struct image other = make_kdump(&(struct make){ .method = method, .page_size = other_size });
	struct image image = make_kdump(&(struct make){ .method = method });
	size_t start = other.page_end[12], len = other.page_end[13] - start;
	struct dump *in;
	u8 page[4096];

	image_put(&image, image.desc_off[13], image.size, 8, false);
	image_put(&image, image.desc_off[13] + 8, len, 4, false);
	for (size_t i = 0; i < len; i++)
		image_put(&image, image.size, other.data[start + i], 1, false);
	in = open_image(&image, image.size);
	CHECK(dump_read(in, 13 * 4096, page, 4096, NULL) == 0, "page 13 was read");
	CHECK(has_damage(in, words), "%s", dump_damage(in, 0));
	dump_close(in);
	image_free(&image);
	image_free(&other);
}

static void kdump__a_page_that_decompresses_to_another_size_is_damage(void)
{
	for (size_t m = 1; m < ARRAY_SIZE(methods); m++) {
		swap_page(methods[m], 8192, "decompresses to more than a page");
		swap_page(methods[m], 2048, "decompresses to less than a page");
	}
}

/* A bad page is half decompressed into the place of one that was kept. */
static void kdump__a_bad_page_does_not_spoil_one_that_was_kept(void)
{
	struct make make = { .method = MAKE_ZLIB };
	struct image image = make_kdump(&make);
	struct dump *in;
	u8 got[8], want[4096];

	image.data[image.page_end[93] - 5] ^= 0xff;		/* zlib's check of page 93 */
	in = open_image(&image, image.size);
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++) {
		dump_read(in, pfn * 4096, got, 8, NULL);
		if (!make_is_dumped(pfn))
			continue;
		CHECK(dump_read(in, 93 * 4096, got, 8, NULL) == 0, "page 93 was read");
		for (unsigned int old = 0; old <= pfn; old++) {
			make_page(old, 4096, want);
			CHECK(!make_is_dumped(old) || old == 93 ||
			      (dump_read(in, old * 4096, got, 8, NULL) == 8 && !memcmp(got, want, 8)),
			      "page %u after %u", old, pfn);
		}
	}
	dump_close(in);
	image_free(&image);
}

static void kdump__every_flipped_byte_is_survived(void)
{
	for (size_t m = 0; m < ARRAY_SIZE(methods); m++) {
		struct make make = { .method = methods[m] };
		struct image image = make_kdump(&make);

		srand(m);
		for (int i = 0; i < 400; i++) {
			size_t at = i < 200 ? (size_t)rand() % 464 : (size_t)rand() % image.size;
			struct dump *in = NULL;
			u8 old = image.data[at], page[4096];

			image.data[at] ^= 1 << rand() % 8;
			if (!dump_open_fd(&in, image_fd(&image, image.size), NULL))
				for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
					dump_read(in, pfn * 4096, page, 4096, NULL);
			dump_close(in);
			image.data[at] = old;
		}
		image_free(&image);
	}
}

static void kdump__damage_is_told_once_and_not_without_end(void)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_ZLIB });
	struct dump *in;
	size_t nr = 0;
	u8 page[4096];

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		if (make_is_dumped(pfn))
			image_put(&image, image.desc_off[pfn] + 12, 3, 4, false);
	in = open_image(&image, image.size);
	for (int round = 0; round < 3; round++)
		for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
			dump_read(in, pfn * 4096, page, 4096, NULL);
	while (dump_damage(in, nr))
		nr++;
	CHECK(nr == 17, "%zu", nr);
	CHECK(has_damage(in, "and more"), "%s", dump_damage(in, nr - 1));
	dump_close(in);
	image_free(&image);
}

/* --- headers that lie ---------------------------------------------------- */

static void refuse_with(size_t off, size_t width, u64 value, int code, const char *words)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });

	image_put(&image, off, value, width, false);
	expect_refusal(&image, image.size, code, words);
	image_free(&image);
}

static void kdump__unusable_headers_are_refused_by_name(void)
{
	refuse_with(428, 4, 0, ERR_CORRUPT, "block_size is 0");
	refuse_with(428, 4, 5000, ERR_CORRUPT, "block_size is 5000");
	refuse_with(428, 4, 1U << 31, ERR_CORRUPT, "block_size is 2147483648");
	refuse_with(436, 4, 0, ERR_CORRUPT, "bitmap_blocks is 0");
}

static void kdump__a_32_bit_kernels_dump_is_refused_by_name(void)
{
	struct image image = make_kdump(&(struct make){ 0 });

	image_put(&image, 416, 4096, 4, false);
	image_put(&image, 428, 0x20000, 4, false);
	image_put(&image, 428, 3, 4, false);
	expect_refusal(&image, image.size, ERR_NOT_OURS, "32-bit");
	image_free(&image);
}

/* An absurd number is survived in little time and memory; true: still read something. */
static void survive_with(size_t off, size_t width, u64 value)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });
	struct err err = ERR_INIT;
	struct dump *in;

	image_put(&image, off, value, width, false);
	if (!dump_open_fd(&in, image_fd(&image, image.size), &err)) {
		count_data_pages(in);
		CHECK(dump_incomplete(in), "nothing is noted of %#llx at %zu", value, off);
		dump_close(in);
	}
	image_free(&image);
}

static void kdump__absurd_counts_are_survived_and_told(void)
{
	struct rusage usage;

	survive_with(432, 4, ~0U);			/* sub_hdr_size */
	survive_with(436, 4, ~0U);			/* bitmap_blocks */
	survive_with(4096 + 96, 8, ~0ULL);		/* max_mapnr_64 */
	survive_with(4096 + 96, 8, 1ULL << 40);
	survive_with(4096 + 96, 8, 4096 * 8 + 1);
	survive_with(8, 4, 99);				/* header_version */
	getrusage(RUSAGE_SELF, &usage);
#ifndef __SANITIZE_ADDRESS__
	CHECK(usage.ru_maxrss < 64 << 10, "%ld KiB resident", usage.ru_maxrss);
#endif
}

int main(void)
{
	TAP_RUN(kdump__every_method_gives_the_pages_that_were_put_in);
	TAP_RUN(kdump__every_header_version_is_read);
	TAP_RUN(kdump__big_endian_is_read);
	TAP_RUN(kdump__pages_of_64_KiB_are_read);
	TAP_RUN(kdump__every_machine_and_page_size_is_read);
	TAP_RUN(kdump__each_page_may_be_compressed_another_way);
	TAP_RUN(kdump__one_bitmap_serves_as_both);
	TAP_RUN(kdump__vmcoreinfo_is_found_from_version_3_on);
	TAP_RUN(kdump__vmcoreinfo_is_also_found_among_the_notes);
	TAP_RUN(kdump__kind_names_the_method);
	TAP_RUN(kdump__segments_are_the_runs_of_ram);
	TAP_RUN(kdump__next_data_tells_the_dumped_pages_only);
	TAP_RUN(kdump__a_read_goes_on_over_pages_and_ends_at_the_first_hole);
	TAP_RUN(kdump__cut_at_every_boundary_the_rest_is_read);
	TAP_RUN(kdump__cut_anywhere_the_rest_is_read);
	TAP_RUN(kdump__the_incomplete_flag_is_told);
	TAP_RUN(kdump__pages_that_were_not_written_are_counted);
	TAP_RUN(kdump__a_tib_that_was_not_written_is_not_walked);
	TAP_RUN(kdump__a_bad_descriptor_costs_its_page_only);
	TAP_RUN(kdump__a_page_that_decompresses_to_another_size_is_damage);
	TAP_RUN(kdump__a_bad_page_does_not_spoil_one_that_was_kept);
	TAP_RUN(kdump__every_flipped_byte_is_survived);
	TAP_RUN(kdump__damage_is_told_once_and_not_without_end);
	TAP_RUN(kdump__unusable_headers_are_refused_by_name);
	TAP_RUN(kdump__a_32_bit_kernels_dump_is_refused_by_name);
	TAP_RUN(kdump__absurd_counts_are_survived_and_told);
	return tap_done();
}
