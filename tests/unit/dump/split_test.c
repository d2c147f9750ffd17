// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Split dumps: the parts that belong together, and what they give.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c -lkdumpfile @extractor
 */
#include <stdlib.h>
#include <time.h>

#include "dump_check.h"

#define NR_PARTS 3
#define MAX_FILES 40

/* Files in memory, under names. */
struct files {
	char name[MAX_FILES][64];
	char *path[MAX_FILES];
	int fd[MAX_FILES];
	size_t nr;
};

static char *add_file(struct files *files, int fd)
{
	size_t i = files->nr++;

	snprintf(files->name[i], sizeof(files->name[i]), "/proc/self/fd/%d", fd);
	files->fd[i] = fd;
	files->path[i] = files->name[i];
	return files->path[i];
}

static char *add_image(struct files *files, struct image image, size_t size)
{
	char *path = add_file(files, image_fd(&image, size < image.size ? size : image.size));

	image_free(&image);
	return path;
}

static void close_files(struct files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		close(files->fd[i]);
	files->nr = 0;
}

static const uint32_t bounds[NR_PARTS + 1] = { 0, 30, 61, MAKE_PAGES };

static struct make part_of(const struct make *whole, unsigned int i)
{
	struct make part = *whole;

	part.split = true;
	part.first = bounds[i];
	part.end = bounds[i + 1];
	return part;
}

static char *add_part(struct files *files, const struct make *whole, unsigned int i)
{
	struct make part = part_of(whole, i);

	return add_image(files, make_kdump(&part), ~0UL);
}

static struct dump *open_files(struct files *files)
{
	struct dump_files all = dump_take_files(files->path, files->nr);
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(all.nr == files->nr && all.path == files->path, "%zu of %zu", all.nr, files->nr);
	CHECK(!dump_open_files(&in, &all, &err), "%s", err.msg);
	return in;
}

/* What is in the first @size bytes of part @i is read, and nothing else of it. */
static void check_part(struct dump *in, const struct make *whole, unsigned int i, size_t size)
{
	struct make part = part_of(whole, i);
	struct image image = make_kdump(&part);

	for (unsigned int pfn = bounds[i]; pfn < bounds[i + 1]; pfn++)
		check_page(in, pfn, whole->page_size ? whole->page_size : 4096,
			   page_state(&image, pfn, size, false));
	image_free(&image);
}

/* Pages of the parts in @there are read, those of others are not. */
static void check_parts(struct dump *in, const struct make *whole, unsigned int there)
{
	for (unsigned int i = 0; i < NR_PARTS; i++)
		check_part(in, whole, i, there >> i & 1 ? ~0UL : 0);
}

/* --- whole --------------------------------------------------------------- */

static void check_whole(const struct make *whole)
{
	static const u8 orders[][NR_PARTS] = { { 0, 1, 2 }, { 2, 0, 1 }, { 1, 0, 2 } };

	for (size_t o = 0; o < ARRAY_SIZE(orders); o++) {
		struct files files = { .nr = 0 };
		struct dump *in;
		u64 sum = 0;

		for (unsigned int i = 0; i < NR_PARTS; i++)
			add_part(&files, whole, orders[o][i]);
		in = open_files(&files);
		check_parts(in, whole, 7);
		CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
		CHECK(dump_nr_segments(in) == 3, "%zu", dump_nr_segments(in));
		CHECK(!strncmp(dump_kind(in), "split kdump-compressed dump (", 29) &&
		      strstr(dump_kind(in), ", 3 parts"), "%s", dump_kind(in));
		for (unsigned int i = 0; i < NR_PARTS; i++)
			sum += lseek(files.fd[i], 0, SEEK_END);
		CHECK(dump_file_size(in) == sum, "%llu", dump_file_size(in));
		dump_close(in);
		close_files(&files);
	}
}

static void split__parts_in_any_order_give_the_pages_that_were_put_in(void)
{
	static const enum make_method methods[] = {
		MAKE_RAW, MAKE_ZLIB, MAKE_LZO, MAKE_SNAPPY, MAKE_ZSTD,
	};

	for (size_t i = 0; i < ARRAY_SIZE(methods); i++)
		check_whole(&(struct make){ .method = methods[i] });
	for (uint32_t version = 2; version <= 6; version++)
		for (int big = 0; big < 2; big++)
			check_whole(&(struct make){ .big = big, .version = version });
	check_whole(&(struct make){ .page_size = 65536, .method = MAKE_LZO });
}

static void split__a_read_goes_on_from_part_to_part(void)
{
	struct make whole = { .method = MAKE_ZLIB };
	struct files files = { .nr = 0 };
	static u8 got[4 * 4096], want[4096];
	struct dump *in;
	size_t nr = 0;

	for (unsigned int i = 0; i < NR_PARTS; i++)
		add_part(&files, &whole, i);
	in = open_files(&files);
	CHECK(dump_read(in, 28 * 4096, got, sizeof(got), NULL) == 3 * 4096, "31 was left out");
	for (unsigned int i = 0; i < 3; i++) {
		make_page(28 + i, 4096, want);
		CHECK(!memcmp(got + i * 4096, want, 4096), "page %u", 28 + i);
	}
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		nr += make_is_dumped(pfn);
	CHECK(count_data_pages(in) == nr, "%zu, not %zu", count_data_pages(in), nr);
	CHECK(dump_vmcoreinfo(in, NULL) && !strcmp(dump_vmcoreinfo(in, NULL), make_vmcoreinfo),
	      "%s", dump_vmcoreinfo(in, NULL));
	dump_close(in);
	close_files(&files);
}

static void split__parts_without_pages_are_as_good_as_others(void)
{
	struct make whole = { .method = MAKE_LZO }, empty = whole;
	struct files files = { .nr = 0 };
	struct dump *in;

	empty.split = true;
	empty.first = empty.end = 61;
	for (unsigned int i = 0; i < NR_PARTS; i++)
		add_part(&files, &whole, i);
	add_image(&files, make_kdump(&empty), ~0UL);
	empty.first = empty.end = MAKE_PAGES;
	add_image(&files, make_kdump(&empty), ~0UL);
	in = open_files(&files);
	check_parts(in, &whole, 7);
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	dump_close(in);
	close_files(&files);
}

static void split__libkdumpfile_reads_the_same(void)
{
	for (int big = 0; big < 2; big++) {
		struct make whole = { .method = MAKE_ZLIB, .big = big };
		struct files files = { .nr = 0 };
		struct verdict v;

		for (unsigned int i = 0; i < NR_PARTS; i++)
			add_part(&files, &whole, i);
		v = oracle_compare_parts(files.path, files.nr);
		CHECK(!v.why && v.nr_same > 50 && v.nr_same + v.nr_absent == v.nr_pages,
		      "%s: of %lu pages %lu same, %lu absent, %lu ours, %lu theirs, %lu differ, first %#llx",
		      v.why, v.nr_pages, v.nr_same, v.nr_absent, v.nr_ours, v.nr_theirs, v.nr_differ,
		      v.first);
		close_files(&files);
	}
}

/* makedumpfile ends a part without pages with its bitmap's last byte, not with its block. */
static void split__a_part_without_pages_ends_with_its_bitmap(void)
{
	struct make whole = { .method = MAKE_LZO };
	struct make none = { .method = MAKE_LZO, .split = true, .first = MAKE_PAGES, .end = MAKE_PAGES };

	for (size_t lacks = 0; lacks < 2; lacks++) {
		struct image image = make_kdump(&none);
		size_t size = image.size - 4096 + MAKE_PAGES / 8 - lacks;
		struct files files = { .nr = 0 };
		struct dump *in;

		for (unsigned int i = 0; i < NR_PARTS; i++)
			add_part(&files, &whole, i);
		add_image(&files, image, size);
		in = open_files(&files);
		check_parts(in, &whole, 7);
		CHECK(has_damage(in, "truncated") == lacks, "%zu: %s", lacks, dump_damage(in, 0));
		dump_close(in);
		close_files(&files);
	}
}

/* --- not whole ----------------------------------------------------------- */

static void split__what_lacks_is_named_and_the_rest_is_read(void)
{
	static const char * const lacks[] = {
		"memory from 0 to 0x1e000, ", "memory from 0x1e000 to 0x3d000, ",
		"memory from 0x3d000 to 0x60000, ",
	};
	struct make whole = { .method = MAKE_LZO };

	for (unsigned int there = 1; there < 7; there++) {
		struct files files = { .nr = 0 };
		struct dump *in;

		for (unsigned int i = 0; i < NR_PARTS; i++)
			if (there >> i & 1)
				add_part(&files, &whole, i);
		in = open_files(&files);
		check_parts(in, &whole, there);
		for (unsigned int i = 0; i < NR_PARTS; i++)
			CHECK((there == 1 && i) || (there == 4 && i < 2) ||
			      has_damage(in, lacks[i]) == !(there >> i & 1), "%u: %s: %s", there,
			      lacks[i], dump_damage(in, 0));
		CHECK(dump_nr_segments(in) == 3, "%zu", dump_nr_segments(in));
		dump_close(in);
		close_files(&files);
	}
}

static void split__a_part_cut_short_costs_its_own_pages(void)
{
	struct make whole = { .method = MAKE_ZLIB };
	struct make part = part_of(&whole, 1);
	struct image image = make_kdump(&part);

	srand(9);
	for (int k = 0; k < 300; k++) {
		size_t size = 4096 + 104 + rand() % (image.size - 4096 - 104);
		struct files files = { .nr = 0 };
		struct dump *in;

		add_part(&files, &whole, 0);
		add_file(&files, image_fd(&image, size));
		add_part(&files, &whole, 2);
		in = open_files(&files);
		check_part(in, &whole, 0, ~0UL);
		check_part(in, &whole, 1, size);
		check_part(in, &whole, 2, ~0UL);
		CHECK(has_damage(in, "truncated at byte"), "%zu: %s", size, dump_damage(in, 0));
		dump_close(in);
		close_files(&files);
	}
	image_free(&image);
}

static void split__damage_names_its_part(void)
{
	struct make whole = { .method = MAKE_LZO }, part = part_of(&whole, 1);
	struct image image = make_kdump(&part);
	struct files files = { .nr = 0 };
	char words[100];
	struct dump *in;
	u8 page[4096];
	char *name;

	image_put(&image, image.desc_off[40] + 8, 5000, 4, false);
	add_part(&files, &whole, 0);
	name = add_image(&files, image, ~0UL);
	add_part(&files, &whole, 2);
	snprintf(words, sizeof(words), "%s: page 0x28000: its size", strrchr(name, '/') + 1);
	in = open_files(&files);
	CHECK(!dump_read(in, 40 * 4096, page, 4096, NULL), "page 40 was read");
	CHECK(has_damage(in, words), "%s, not %s", dump_damage(in, 0), words);
	dump_close(in);
	close_files(&files);
}

/* --- which files --------------------------------------------------------- */

static void split__files_are_taken_by_what_they_are_parts_of(void)
{
	struct make a = { .method = MAKE_LZO }, b = { .method = MAKE_LZO, .salt = 1 };
	struct files files = { .nr = 0 };
	char *paths[7], *want[7];
	struct dump_files got;

	paths[0] = want[0] = add_part(&files, &a, 2);
	paths[1] = want[3] = add_part(&files, &b, 0);
	paths[2] = want[5] = add_image(&files, make_kdump(&a), ~0UL);
	paths[3] = want[1] = add_part(&files, &a, 0);
	paths[4] = want[6] = (char *)"/nonexistent";
	paths[5] = want[4] = add_part(&files, &b, 1);
	paths[6] = want[2] = add_part(&files, &a, 1);
	got = dump_take_files(paths, 7);
	CHECK(got.nr == 3 && got.path == paths, "%zu", got.nr);
	got = dump_take_files(paths + 3, 4);
	CHECK(got.nr == 2, "%zu", got.nr);
	CHECK(dump_take_files(paths + 5, 2).nr == 1 && dump_take_files(paths + 6, 1).nr == 1, "others");
	for (size_t i = 0; i < 7; i++)
		CHECK(paths[i] == want[i], "%zu: %s", i, paths[i]);
	close_files(&files);
}

static void split__a_pipe_among_the_files_is_not_touched(void)
{
	struct make a = { .method = MAKE_LZO };
	struct files files = { .nr = 0 };
	int ends[2];
	char byte;

	CHECK(!pipe(ends) && write(ends[1], "KDUMP", 5) == 5, "pipe");
	add_part(&files, &a, 0);
	add_file(&files, ends[0]);
	CHECK(dump_take_files(files.path, 2).nr == 1, "taken");
	CHECK(read(ends[0], &byte, 1) == 1 && byte == 'K', "%c", byte);
	close(ends[1]);
	close_files(&files);
}

static void refuse_files(struct files *files, const char *words)
{
	struct dump_files all = { files->path, files->nr };
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int ret = dump_open_files(&in, &all, &err);

	CHECK(ret < 0 && strstr(err.msg, words), "%d: %s, not %s", ret, err.msg, words);
	CHECK(ret != -ERR_USAGE || strstr(err.msg, strrchr(files->path[0], '/') + 1), "%s", err.msg);
	close_files(files);
}

static void split__a_wrong_mix_is_refused_by_name(void)
{
	struct make whole = { .method = MAKE_LZO }, other = part_of(&whole, 1);
	struct files files = { .nr = 0 };

	add_part(&files, &whole, 0);
	add_part(&files, &whole, 0);
	refuse_files(&files, "both have memory from 0 on");
	other.first = 29;			/* split another way, so another set */
	add_part(&files, &whole, 0);
	add_image(&files, make_kdump(&other), ~0UL);
	refuse_files(&files, "both have memory from 0x1d000 on");
	add_part(&files, &whole, 0);
	add_image(&files, make_kdump(&whole), ~0UL);
	refuse_files(&files, "is no part of a split dump");
	for (int i = 0; i < 33; i++)
		add_part(&files, &whole, 0);
	refuse_files(&files, "33 parts of a split dump, of which 32");
	add_part(&files, &whole, 0);
	files.path[files.nr++] = (char *)"/nonexistent";
	files.fd[1] = -1;
	refuse_files(&files, "/nonexistent: cannot open");
}

static void split__absurd_ranges_are_survived(void)
{
	static const u64 values[] = { 0, 1, 95, 96, 97, 1ULL << 40, ~0ULL };
	struct make whole = { .method = MAKE_LZO }, part = part_of(&whole, 1);

	for (size_t i = 0; i < 2 * ARRAY_SIZE(values); i++) {
		struct image image = make_kdump(&part);
		struct files files = { .nr = 0 };
		struct dump_files all = { files.path, 2 };
		struct dump *in = NULL;
		u8 page[4096];

		image_put(&image, 4096 + (i & 1 ? 80 : 88), values[i / 2], 8, false);
		add_part(&files, &whole, 0);
		add_image(&files, image, ~0UL);
		if (!dump_open_files(&in, &all, NULL)) {
			count_data_pages(in);
			for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
				dump_read(in, pfn * 4096, page, 4096, NULL);
			CHECK(dump_incomplete(in), "no note of %#llx", values[i / 2]);
		}
		dump_close(in);
		close_files(&files);
	}
}

/* Its own pages end where it says that memory does, others have more. */
static void split__a_part_that_knows_of_fewer_pages_costs_nothing(void)
{
	struct make whole = { 0 }, narrow = part_of(&whole, 0);
	struct image image = make_kdump(&narrow);
	struct files files = { .nr = 0 };
	struct dump *in;

	image_put(&image, 4096 + 96, 29, 8, false);
	add_image(&files, image, ~0UL);
	add_part(&files, &whole, 1);
	add_part(&files, &whole, 2);
	in = open_files(&files);
	check_part(in, &whole, 1, ~0UL);
	check_part(in, &whole, 2, ~0UL);
	for (size_t i = 0; dump_damage(in, i); i++)
		CHECK(strstr(dump_damage(in, i), "0x1d") && !strstr(dump_damage(in, i), "184467"), "%s",
		      dump_damage(in, i));
	dump_close(in);
	close_files(&files);
}

int main(void)
{
	TAP_RUN(split__parts_in_any_order_give_the_pages_that_were_put_in);
	TAP_RUN(split__a_read_goes_on_from_part_to_part);
	TAP_RUN(split__parts_without_pages_are_as_good_as_others);
	TAP_RUN(split__libkdumpfile_reads_the_same);
	TAP_RUN(split__a_part_without_pages_ends_with_its_bitmap);
	TAP_RUN(split__what_lacks_is_named_and_the_rest_is_read);
	TAP_RUN(split__a_part_cut_short_costs_its_own_pages);
	TAP_RUN(split__damage_names_its_part);
	TAP_RUN(split__files_are_taken_by_what_they_are_parts_of);
	TAP_RUN(split__a_pipe_among_the_files_is_not_touched);
	TAP_RUN(split__a_wrong_mix_is_refused_by_name);
	TAP_RUN(split__absurd_ranges_are_survived);
	TAP_RUN(split__a_part_that_knows_of_fewer_pages_costs_nothing);
	return tap_done();
}
