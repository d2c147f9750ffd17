// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Flattened dumps.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c -lkdumpfile @extractor
 */
#include <elf.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "dump_check.h"

/* Of CPU time: the host may have others to run. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* --- whole --------------------------------------------------------------- */

static bool is_elf(const struct image *image)
{
	return !memcmp(image->data, "\177ELF", 4);
}

static void check_flat(const struct image *image, const struct make *make,
		       const struct flatten *how)
{
	struct image flat = make_flat(image, how);
	struct dump *in = open_image(&flat, flat.size);
	size_t nr = 0;

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		nr += make_is_dumped(pfn);
	if (in) {
		check_pages(in, image, make, image->size);
		CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
		CHECK(!strncmp(dump_kind(in), "flattened ", 10), "%s", dump_kind(in));
		CHECK(dump_file_size(in) == image->size, "%llu", dump_file_size(in));
		if (!how->no_zeroes && !make->page_size)
			CHECK(count_data_pages(in) == nr, "%zu, not %zu", count_data_pages(in), nr);
		dump_close(in);
	}
	image_free(&flat);
}

static void check_every_way(struct image image, const struct make *make)
{
	static const u32 sizes[] = { 24, 191, 4096, 65536, 1 << 24 };

	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
		for (int bits = 0; bits < 8; bits++)
			check_flat(&image, make, &(struct flatten){
				.piece = sizes[i], .backwards = bits & 1, .again = bits & 2,
				.no_zeroes = (bits & 6) == 4 });
	image_free(&image);
}

static void flat__pieces_in_any_order_give_the_pages_that_were_put_in(void)
{
	static const struct make elf = { .big = true }, kdump = { .method = MAKE_LZO },
		large = { .page_size = 65536, .method = MAKE_ZSTD };

	check_every_way(make_elf(&elf), &elf);
	check_every_way(make_kdump(&kdump), &kdump);
	check_every_way(make_kdump(&large), &large);
}

static void flat__any_other_content_is_memory(void)
{
	static u8 bytes[10000], got[10000];
	struct image image = { .data = bytes, .size = sizeof(bytes) }, flat;
	struct dump *in;

	memset(bytes + 3000, 'x', 2000);
	flat = make_flat(&image, &(struct flatten){ .piece = 1000, .no_zeroes = true });
	in = open_image(&flat, flat.size);
	CHECK(!strcmp(dump_kind(in), "flattened raw file"), "%s", dump_kind(in));
	CHECK(dump_read(in, 0, got, sizeof(got), NULL) == sizeof(got) &&
	      !memcmp(got, bytes, sizeof(got)), "not the bytes");
	CHECK(count_data_pages(in) == 3, "%zu", count_data_pages(in));
	dump_close(in);
	image_free(&flat);
}

/* --- not whole ----------------------------------------------------------- */

/* The piece with the @at-th byte of VMCOREINFO is not there. */
static void check_lost_info(size_t at, const char *left)
{
	enum { PIECE = 8 };
	struct image image = make_elf(&(struct make){ 0 });
	struct image flat = make_flat(&image, &(struct flatten){ .piece = PIECE, .no_end = true });
	size_t info = (u8 *)memmem(image.data, image.size, make_vmcoreinfo, strlen(make_vmcoreinfo)) - image.data;
	struct dump *in;

	image_put(&flat, 4096 + (info + at) / PIECE * (16 + PIECE), 1 << 24, 8, true);
	in = open_image(&flat, flat.size);
	CHECK(left ? dump_vmcoreinfo(in, NULL) && !strcmp(dump_vmcoreinfo(in, NULL), left) : !dump_vmcoreinfo(in, NULL),
	      "%zu: '%s'", at, dump_vmcoreinfo(in, NULL));
	dump_close(in);
	image_free(&image);
	image_free(&flat);
}

static void flat__half_a_line_of_VMCOREINFO_is_none(void)
{
	const char *second = strchr(make_vmcoreinfo, '\n') + 1;
	char first[64] = "";

	memcpy(first, make_vmcoreinfo, second - make_vmcoreinfo);
	check_lost_info(second + strlen("CRASHTIME=17000000") - make_vmcoreinfo, first);
	check_lost_info(0, NULL);
	check_lost_info(12, NULL);
}

/* Bytes of the dump that are in the first @size of its flattened file. */
static size_t inner_size(size_t size, size_t piece, size_t all)
{
	size_t body = size < 4096 ? 0 : size - 4096, left = body % (16 + piece);
	size_t inner = body / (16 + piece) * piece + (left > 16 ? left - 16 : 0);

	return inner < all ? inner : all;
}

static void check_cut(const struct image *image, const struct make *make,
		      const struct image *flat, size_t piece, size_t size)
{
	size_t inner = inner_size(size, piece, image->size);
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (dump_open_fd(&in, image_fd(flat, size), &err)) {
		CHECK(inner < 464 && (err.code == ERR_CORRUPT || err.code == ERR_NOT_OURS),
		      "%zu bytes: %s", size, err.msg);
		CHECK(size < 16 || strstr(err.msg, "without its end mark") ||
		      strstr(err.msg, "the file ends at"), "%zu: %s", size, err.msg);
		return;
	}
	if (size >= 16 && inner >= (is_elf(image) ? 8192 : 8))
		check_pages(in, image, make, inner);
	CHECK((size < 16 || has_damage(in, "without its end mark") == (size < flat->size)),
	      "%zu of %zu bytes: %s", size, flat->size, dump_damage(in, 0));
	dump_close(in);
}

static void cut_everywhere(struct image image, const struct make *make, size_t piece)
{
	struct image flat = make_flat(&image, &(struct flatten){ .piece = piece });

	for (size_t i = 0; i < flat.nr_edges; i++)
		for (int d = -1; d <= 1; d++)
			if (flat.edges[i] + d <= flat.size)
				check_cut(&image, make, &flat, piece, flat.edges[i] + d);
	srand(11);
	for (int i = 0; i < 2000; i++)
		check_cut(&image, make, &flat, piece, 1 + rand() % flat.size);
	image_free(&flat);
	image_free(&image);
}

static void flat__cut_anywhere_the_rest_is_read(void)
{
	static const struct make elf = { 0 }, kdump = { .method = MAKE_ZLIB };

	cut_everywhere(make_elf(&elf), &elf, 4096);
	cut_everywhere(make_kdump(&kdump), &kdump, 3000);
}

static void flat__a_missing_end_mark_is_told_and_nothing_is_lost(void)
{
	struct make make = { .method = MAKE_SNAPPY };
	struct image image = make_kdump(&make);
	struct image flat = make_flat(&image, &(struct flatten){ .no_end = true });
	struct dump *in = open_image(&flat, flat.size);

	check_pages(in, &image, &make, image.size);
	CHECK(has_damage(in, "without its end mark"), "%s", dump_damage(in, 0));
	dump_close(in);
	image_free(&flat);
	image_free(&image);
}

/* A hole is zero in a whole dump. In a cut dump its content is unknown. */
static void flat__holes_of_a_cut_dump_are_not_zeroes(void)
{
	static u8 bytes[10000], got[10000];
	struct image image = { .data = bytes, .size = sizeof(bytes) }, flat;
	struct dump *in;

	memset(bytes, 'x', 1000);
	bytes[9999] = 'x';
	flat = make_flat(&image, &(struct flatten){ .piece = 1000, .no_zeroes = true, .no_end = true });
	in = open_image(&flat, flat.size);
	CHECK(dump_read(in, 0, got, sizeof(got), NULL) == 1000, "zeroes from nowhere");
	CHECK(dump_read(in, 9999, got, 1, NULL) == 1 && *got == 'x', "the last byte");
	dump_close(in);
	image_free(&flat);
}

static void damage_piece(size_t field, u64 value, const char *words)
{
	struct make make = { .method = MAKE_LZO };
	struct image image = make_kdump(&make);
	struct image flat = make_flat(&image, &(struct flatten){ 0 });
	size_t at = 4096 + 20 * (4096 + 16);
	struct dump *in;

	image_put(&flat, at + field, value, 8, true);
	in = open_image(&flat, flat.size);
	CHECK(has_damage(in, words), "%s: %s", words, dump_damage(in, 0));
	check_pages(in, &image, &make, 20 * 4096);
	dump_close(in);
	image_free(&flat);
	image_free(&image);
}

static void flat__a_bad_piece_ends_what_is_read(void)
{
	damage_piece(0, 1ULL << 63, "damaged at byte 86336");
	damage_piece(0, ~0ULL, "damaged at byte 86336");
	damage_piece(8, 0, "damaged at byte 86336");
	damage_piece(8, ~0ULL, "damaged at byte 86336");
}

static void flat__what_is_no_flattened_dump_is_refused_by_name(void)
{
	struct make make = { 0 };
	struct image image = make_elf(&make), flat, twice;
	struct image nothing = { .data = (u8 *)"", .size = 0 };

	flat = make_flat(&image, &(struct flatten){ 0 });
	twice = make_flat(&flat, &(struct flatten){ 0 });
	expect_refusal(&twice, twice.size, ERR_CORRUPT, "a flattened dump of a flattened dump");
	image_free(&twice);
	image_put(&flat, 24, 2, 8, true);
	expect_refusal(&flat, 20, ERR_CORRUPT, "within the header");
	image_free(&flat);
	flat = make_flat(&nothing, &(struct flatten){ 0 });
	expect_refusal(&flat, flat.size, ERR_CORRUPT, "nothing in it");
	image_free(&flat);
	image_free(&image);
}

static void flat__another_version_is_told_and_read(void)
{
	struct make make = { 0 };
	struct image image = make_elf(&make);
	struct image flat = make_flat(&image, &(struct flatten){ 0 });
	struct dump *in;

	image_put(&flat, 24, 2, 8, true);
	in = open_image(&flat, flat.size);
	check_pages(in, &image, &make, image.size);
	CHECK(has_damage(in, "version 2"), "%s", dump_damage(in, 0));
	dump_close(in);
	image_free(&flat);
	image_free(&image);
}

static void flat__every_flipped_byte_is_survived(void)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });
	struct image flat = make_flat(&image, &(struct flatten){ .piece = 191, .again = true });

	srand(5);
	for (int i = 0; i < 1000; i++) {
		size_t edge = flat.edges[rand() % flat.nr_edges] & ~1UL;
		size_t at = i & 1 ? edge + rand() % 16 : (size_t)rand() % flat.size;
		struct dump *in = NULL;
		u8 old, page[4096];

		if (at >= flat.size)
			continue;
		old = flat.data[at];
		flat.data[at] ^= 1 << rand() % 8;
		if (!dump_open_fd(&in, image_fd(&flat, flat.size), NULL))
			for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
				dump_read(in, pfn * 4096, page, 4096, NULL);
		dump_close(in);
		flat.data[at] = old;
	}
	image_free(&flat);
	image_free(&image);
}

/* --- size ---------------------------------------------------------------- */

/* A sparse TiB in one piece, of which one page is there. */
static void flat__a_sparse_tib_is_walked_by_what_is_in_it(void)
{
	const u64 tib = 1ULL << 40, where = tib - (1 << 20) - 4096 - 16;
	struct image nothing = { .data = (u8 *)"x", .size = 1 };
	struct image flat = make_flat(&nothing, &(struct flatten){ 0 });
	int fd = memfd_create("sparse", MFD_CLOEXEC);
	double start = seconds();
	struct dump *in = NULL;
	u64 next = 0, len = 0;

	image_put(&flat, 4096 + 8, tib, 8, true);
	image_put(&flat, 4096 + 16, ~0ULL, 8, true);
	CHECK(pwrite(fd, flat.data, 4096 + 16, 0) == 4096 + 16 &&
	      pwrite(fd, flat.data + 4096 + 16, 8, 4096 + 16 + tib) == 8 &&
	      pwrite(fd, flat.data + 4096 + 16, 8, 4096 + 24 + tib) == 8 &&
	      pwrite(fd, "page", 4, 4096 + 16 + where) == 4, "cannot write");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	while (dump_next_data(in, next + len, &next, &len) && next + len <= where)
		;
	CHECK(next <= where && where < next + len, "%#llx", next);
	CHECK(seconds() - start < 1, "%f s", seconds() - start);
	dump_close(in);
	image_free(&flat);
}

/* As many pieces as are taken, and more, each over the middle of the one before. */
static void flat__many_pieces_take_bounded_memory(void)
{
	enum { NR = (3 << 20) + 10, SIZE = 16 + 8 };
	u8 *data = calloc(NR, SIZE);
	struct image all = { .data = data, .size = (size_t)NR * SIZE }, head = { 0 };
	struct flatten how = { .no_end = true };
	struct image flat = make_flat(&head, &how);
	int fd = image_fd(&flat, 4096);
	double start = seconds();
	struct rusage usage;
	struct dump *in = NULL;

	for (size_t i = 0; i < NR; i++) {
		for (int k = 0; k < 4; k++)
			data[i * SIZE + 4 + k] = (u64)i * 5 >> 8 * (3 - k);
		data[i * SIZE + 15] = 8;
	}
	CHECK(write(fd, all.data, all.size) == (ssize_t)all.size, "write");
	free(data);
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(has_damage(in, "more than 3145728 pieces"), "%s", dump_damage(in, 0));
	getrusage(RUSAGE_SELF, &usage);
#ifndef __SANITIZE_ADDRESS__
	CHECK(usage.ru_maxrss < 256 << 10, "%ld KiB resident", usage.ru_maxrss);
#endif
	CHECK(seconds() - start < 60, "%f s", seconds() - start);
	printf("# %ld KiB, %.1f s\n", usage.ru_maxrss, seconds() - start);
	dump_close(in);
	image_free(&flat);
}

/* A core without addresses whose pieces say that it is as large as all memory, and five times a quarter of that. */
static void flat__stretches_that_leave_the_address_space_are_left_out(void)
{
	enum { NR = 5, ELF = 4096 + 16, PHDRS = ELF + 64, LAST = PHDRS + NR * 56, SIZE = LAST + 16 + 8 };
	u64 quarter = 1ULL << 62, end = 0;
	u8 data[SIZE] = "makedumpfile";
	struct image flat = { .data = data, .size = SIZE, .room = SIZE };
	struct dump *in;

	image_put(&flat, 16, 1, 8, true);
	image_put(&flat, 24, 1, 8, true);
	image_put(&flat, ELF - 8, LAST - ELF, 8, true);
	memcpy(data + ELF, "\177ELF\2\1\1", 7);
	image_put(&flat, ELF + 16, ET_CORE, 2, false);
	image_put(&flat, ELF + 18, EM_X86_64, 2, false);
	image_put(&flat, ELF + 32, 64, 8, false);
	image_put(&flat, ELF + 54, 56, 2, false);
	image_put(&flat, ELF + 56, NR, 2, false);
	for (int i = 0; i < NR; i++) {
		image_put(&flat, PHDRS + i * 56, PT_LOAD, 4, false);
		image_put(&flat, PHDRS + i * 56 + 32, quarter, 8, false);
		image_put(&flat, PHDRS + i * 56 + 40, quarter, 8, false);
	}
	image_put(&flat, LAST, quarter, 8, true);
	image_put(&flat, LAST + 8, 8, 8, true);
	in = open_image(&flat, flat.size);
	for (size_t i = 0; in && i < dump_nr_segments(in); i++) {
		struct dump_segment segment = dump_segment(in, i);

		CHECK(segment.paddr >= end && segment.paddr + segment.size > segment.paddr, "%#llx, %#llx bytes", segment.paddr, segment.size);
		end = segment.paddr + segment.size;
	}
	CHECK(in && dump_nr_segments(in) == 3 && has_damage(in, "leave the address space"), "%zu", in ? dump_nr_segments(in) : 0);
	dump_close(in);
}

int main(void)
{
	TAP_RUN(flat__pieces_in_any_order_give_the_pages_that_were_put_in);
	TAP_RUN(flat__any_other_content_is_memory);
	TAP_RUN(flat__half_a_line_of_VMCOREINFO_is_none);
	TAP_RUN(flat__cut_anywhere_the_rest_is_read);
	TAP_RUN(flat__a_missing_end_mark_is_told_and_nothing_is_lost);
	TAP_RUN(flat__holes_of_a_cut_dump_are_not_zeroes);
	TAP_RUN(flat__a_bad_piece_ends_what_is_read);
	TAP_RUN(flat__what_is_no_flattened_dump_is_refused_by_name);
	TAP_RUN(flat__another_version_is_told_and_read);
	TAP_RUN(flat__every_flipped_byte_is_survived);
	TAP_RUN(flat__a_sparse_tib_is_walked_by_what_is_in_it);
	TAP_RUN(flat__many_pieces_take_bounded_memory);
	TAP_RUN(flat__stretches_that_leave_the_address_space_are_left_out);
	return tap_done();
}
