// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ELF vmcores.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c -lkdumpfile @extractor
 */
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>

#include "dump_check.h"

static void check_whole(const struct make *make)
{
	struct image image = make_elf(make);
	struct dump *in = open_image(&image, image.size);
	const char *text = dump_vmcoreinfo(in, NULL);

	check_pages(in, &image, make, image.size);
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	CHECK(text && !strcmp(text, make_vmcoreinfo), "%s", text);
	CHECK(!strcmp(dump_kind(in), make->big ? "ELF vmcore (big-endian)" : "ELF vmcore"),
	      "%s", dump_kind(in));
	dump_close(in);
	check_oracle(&image);
	image_free(&image);
}

static void elf__both_byte_orders_give_the_pages_that_were_put_in(void)
{
	check_whole(&(struct make){ 0 });
	check_whole(&(struct make){ .big = true });
}

static void elf__every_machine_and_page_size_is_read(void)
{
	check_whole(&(struct make){ .machine = MAKE_ARM64 });
	check_whole(&(struct make){ .machine = MAKE_ARM64, .page_size = 16384 });
	check_whole(&(struct make){ .machine = MAKE_ARM64, .page_size = 65536 });
	check_whole(&(struct make){ .machine = MAKE_S390X, .big = true });
	check_whole(&(struct make){ .machine = MAKE_PPC64, .big = true, .page_size = 65536 });
}

static void elf__segments_need_not_be_aligned_in_the_file(void)
{
	check_whole(&(struct make){ .odd_offset = 0x4b4 });
}

static void elf__more_than_65535_segments_are_counted_in_a_section_header(void)
{
	check_whole(&(struct make){ .xnum = true });
	check_whole(&(struct make){ .xnum = true, .big = true });
	check_whole(&(struct make){ .nr_more_segments = 70000 });
}

static void elf__memory_given_twice_is_read_once(void)
{
	struct make make = { .again = true };
	struct image image = make_elf(&make);
	struct dump *in = open_image(&image, image.size);

	check_pages(in, &image, &make, image.size);
	for (size_t i = 1; i < dump_nr_segments(in); i++) {
		struct dump_segment a = dump_segment(in, i - 1), b = dump_segment(in, i);

		CHECK(a.paddr + a.size <= b.paddr, "%#llx +%#llx, %#llx", a.paddr, a.size, b.paddr);
	}
	dump_close(in);
	image_free(&image);
}

static void elf__next_data_tells_what_is_in_the_file(void)
{
	struct image image = make_elf(&(struct make){ 0 });
	struct dump *in = open_image(&image, image.size);
	size_t want = 0;

	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
		want += make_is_dumped(pfn);
	CHECK(count_data_pages(in) == want, "%zu, not %zu", count_data_pages(in), want);
	dump_close(in);
	image_free(&image);
}

/* --- truncation ---------------------------------------------------------- */

static void check_cut(const struct image *image, const struct make *make, size_t size,
		      size_t headers)
{
	struct err err = ERR_INIT;
	struct dump *in;

	if (dump_open_fd(&in, image_fd(image, size), &err)) {
		CHECK(size < 64 && err.code == ERR_CORRUPT, "%zu bytes: %s", size, err.msg);
		return;
	}
	if (size >= headers)
		check_pages(in, image, make, size);
	count_data_pages(in);
	CHECK(dump_incomplete(in) == (size < image->size), "%zu of %zu bytes", size, image->size);
	CHECK(size == image->size || has_damage(in, "truncated at byte") ||
	      (make->xnum && size < 128), "%zu of %zu bytes: %s", size, image->size,
	      dump_damage(in, 0));
	dump_close(in);
}

static void elf__cut_at_every_boundary_the_rest_is_read(void)
{
	for (int kind = 0; kind < 4; kind++) {
		struct make make = { .big = kind & 1, .xnum = kind & 2 };
		struct image image = make_elf(&make);

		for (size_t i = 0; i < image.nr_edges; i++)
			for (int d = -1; d <= 1; d++)
				if (image.edges[i] + d <= image.size)
					check_cut(&image, &make, image.edges[i] + d, 4096);
		image_free(&image);
	}
}

static void elf__cut_anywhere_the_rest_is_read(void)
{
	struct make make = { .odd_offset = 0x4b4 };
	struct image image = make_elf(&make);

	srand(11);
	for (int i = 0; i < 2000; i++)
		check_cut(&image, &make, 4 + rand() % (image.size - 4), 4096);
	image_free(&image);
}

/* A file cut before the section header that has the count: its segments are still found. */
static void elf__a_missing_count_of_segments_does_not_lose_them(void)
{
	struct make make = { .xnum = true };
	struct image image = make_elf(&make);
	struct dump *in;

	image_put(&image, 40, 1ULL << 40, 8, false);	/* e_shoff, far behind the end */
	in = open_image(&image, image.size);
	check_pages(in, &image, &make, image.size);
	CHECK(has_damage(in, "number of segments"), "%s", dump_damage(in, 0));
	dump_close(in);
	image_free(&image);
}

/* --- headers that lie ---------------------------------------------------- */

static void elf__the_incomplete_flag_is_told(void)
{
	struct make make = { .incomplete = true };
	struct image image = make_elf(&make);
	struct dump *in = open_image(&image, image.size);

	CHECK(has_damage(in, "incomplete"), "%s", dump_damage(in, 0));
	check_pages(in, &image, &make, image.size);
	dump_close(in);
	image_free(&image);
}

static void refuse_with(size_t off, size_t width, u64 value, int code, const char *words)
{
	struct image image = make_elf(&(struct make){ 0 });

	image_put(&image, off, value, width, false);
	expect_refusal(&image, image.size, code, words);
	image_free(&image);
}

static void elf__what_is_no_64_bit_core_is_refused_by_name(void)
{
	refuse_with(4, 1, 1, ERR_NOT_OURS, "32-bit");
	refuse_with(4, 1, 7, ERR_CORRUPT, "class is 7");
	refuse_with(5, 1, 3, ERR_CORRUPT, "byte order is 3");
	refuse_with(16, 2, 2, ERR_NOT_OURS, "type 2");
	refuse_with(32, 8, ~0ULL, ERR_CORRUPT, "e_phoff");
	refuse_with(54, 2, 55, ERR_CORRUPT, "e_phentsize is 55");
}

static void survive_with(size_t off, size_t width, u64 value)
{
	struct image image = make_elf(&(struct make){ .xnum = true });
	static u8 page[4096];
	struct dump *in;

	image_put(&image, off, value, width, false);
	in = open_image(&image, image.size);
	if (in) {
		count_data_pages(in);
		dump_read(in, 0, page, sizeof(page), NULL);
		dump_read(in, ~0ULL - 100, page, sizeof(page), NULL);
		dump_close(in);
	}
	image_free(&image);
}

static void elf__absurd_numbers_are_survived(void)
{
	static const u64 values[] = { 0, 1, 1ULL << 31, ~0U, 1ULL << 62, ~0ULL >> 1, ~0ULL - 4095, ~0ULL };
	struct rusage usage;

	for (size_t i = 0; i < ARRAY_SIZE(values); i++) {
		survive_with(64 + 44, 4, values[i]);		/* sh_info: count */
		survive_with(40, 8, values[i]);			/* e_shoff */
		for (size_t phdr = 128; phdr < 128 + 3 * 56; phdr += 56)
			for (size_t field = 8; field < 48; field += 8)
				survive_with(phdr + field, 8, values[i]);
		for (size_t field = 0; field < 8; field += 4)	/* the first note's sizes */
			survive_with(4096 + field, 4, values[i]);
	}
	getrusage(RUSAGE_SELF, &usage);
#ifndef __SANITIZE_ADDRESS__
	CHECK(usage.ru_maxrss < 64 << 10, "%ld KiB resident", usage.ru_maxrss);
#endif
}

static void elf__every_flipped_byte_is_survived(void)
{
	struct make make = { .xnum = true };
	struct image image = make_elf(&make);
	u8 page[4096];

	srand(3);
	for (int i = 0; i < 2000; i++) {
		size_t at = (size_t)rand() % 5120;
		struct dump *in = NULL;
		u8 old = image.data[at];

		image.data[at] ^= 1 << rand() % 8;
		if (!dump_open_fd(&in, image_fd(&image, image.size), NULL)) {
			count_data_pages(in);
			for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++)
				dump_read(in, pfn * 4096, page, 4096, NULL);
		}
		dump_close(in);
		image.data[at] = old;
	}
	image_free(&image);
}

/* As /proc/kcore: what is mapped has an address of -1, and terabytes that are in no file. */
static void elf__a_live_kernels_virtual_memory_is_no_memory(void)
{
	struct make make = { .nr_more_segments = 3 };
	struct image image = make_elf(&make);
	struct dump *in;

	for (size_t i = 1; i <= 3; i++) {
		size_t phdr = 128 + 56 * i;

		image_put(&image, phdr + 8, 0x6124fbc0004000, 8, false);
		image_put(&image, phdr + 24, ~0ULL, 8, false);
		image_put(&image, phdr + 32, 0x31ffffffffffff, 8, false);
		image_put(&image, phdr + 40, 0x31ffffffffffff, 8, false);
	}
	in = open_image(&image, image.size);
	check_pages(in, &image, &make, image.size);
	CHECK(dump_segment(in, dump_nr_segments(in) - 1).paddr < MAKE_PAGES * 4096, "a segment of it");
	CHECK(!strcmp(dump_kind(in), "ELF core of a live kernel"), "%s", dump_kind(in));
	CHECK(has_damage(in, "/dev/epitaph") && !has_damage(in, "truncated") &&
	      !has_damage(in, "leaves the address space"), "%s", dump_damage(in, 0));
	dump_close(in);
	image_free(&image);
}

/* As makedumpfile -E leaves it when it is stopped: headers come last. */
static void elf__memory_without_program_headers_is_read_in_a_row(void)
{
	for (int big = 0; big < 2; big++) {
		struct make make = { .big = big };
		struct image image = make_elf(&make);
		size_t notes = 4096, end = notes + 12 + 8 + 336 + 12 + 12 +
			       ((strlen(make_vmcoreinfo) + 3) & ~3UL), nr = image.data[big ? 57 : 56];
		u8 page[4096], want[4096];
		struct dump *in;

		/* Notes right behind the headers, memory right behind the notes. */
		memset(image.data + 128, 0, 56 * nr);
		memmove(image.data + 128 + 56 * nr, image.data + notes, end - notes);
		memmove(image.data + 128 + 56 * nr + end - notes, image.data + 8192, image.size - 8192);
		image.size -= notes - 128 - 56 * nr + 8192 - end;
		in = open_image(&image, image.size);
		CHECK(has_damage(in, "program headers were not written"), "%s", dump_damage(in, 0));
		CHECK(dump_vmcoreinfo(in, NULL), "no VMCOREINFO");
		for (unsigned int pfn = 0, at = 0; pfn < MAKE_PAGES; pfn++) {
			if (!make_is_dumped(pfn))
				continue;
			make_page(pfn, 4096, want);
			CHECK(dump_read(in, at * 4096ULL, page, 4096, NULL) == 4096 &&
			      !memcmp(page, want, 4096), "page %u, the %u-th", pfn, at);
			at++;
		}
		dump_close(in);
		image_free(&image);
	}
}

/* --- size ---------------------------------------------------------------- */

/* Of CPU time: the host may have others to run. */
static double seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

/* One segment of a TiB, of which one page near the end is there. */
static void elf__a_sparse_tib_is_walked_by_what_is_in_it(void)
{
	struct image image = make_elf(&(struct make){ 0 });
	const u64 tib = 1ULL << 40, where = tib - (1 << 20);
	int fd = memfd_create("sparse", MFD_CLOEXEC);
	u64 phdr = 128 + 56, next = 0, len = 0;
	struct dump *in = NULL;
	double start = seconds();
	u8 page[4096], head[8];

	image_put(&image, 56, 0xffff, 2, false);
	image_put(&image, 40, 64, 8, false);
	image_put(&image, 64 + 44, 2, 4, false);
	image_put(&image, phdr + 8, 65536, 8, false);
	image_put(&image, phdr + 24, 0, 8, false);
	image_put(&image, phdr + 32, tib, 8, false);
	image_put(&image, phdr + 40, tib, 8, false);
	make_page(4, 4096, page);
	page[0] = 'x';
	CHECK(pwrite(fd, image.data, 8192, 0) == 8192 && !ftruncate(fd, 65536 + tib) &&
	      pwrite(fd, page, 4096, 65536 + where) == 4096, "cannot write");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(dump_next_data(in, 0, &next, &len) && next == where, "%#llx", next);
	CHECK(dump_peek(in, next, head) && !memcmp(head, page, 8), "not the page");
	CHECK(!dump_next_data(in, next + len, &next, &len), "%#llx", next);
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	CHECK(seconds() - start < 1, "%f s", seconds() - start);
	dump_close(in);
	image_free(&image);
}

/* 2^31 program headers, all within the file: some are not read, and a damage note says so. */
static void elf__absurdly_many_segments_are_not_all_looked_at(void)
{
	struct image image = make_elf(&(struct make){ .xnum = true });
	double start = seconds();
	struct dump *in = NULL;
	int fd;

	image_put(&image, 64 + 44, 1U << 31, 4, false);
	fd = image_fd(&image, image.size);
	CHECK(!ftruncate(fd, 1ULL << 38), "ftruncate");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(has_damage(in, "2147483648 program headers, of which 262144"), "%s", dump_damage(in, 0));
	CHECK(seconds() - start < 10, "%f s", seconds() - start);
	dump_close(in);
	image_free(&image);
}

/* Return: how many of 4 CPUs have registers, all of them theirs. */
static u32 cpus_with_registers(const struct make *make)
{
	struct image image = make->version ? make_kdump(make) : make_elf(make);
	struct dump *in = open_image(&image, image.size);
	u64 regs[DUMP_CPU_REGS + 1];
	u32 nr = 0;

	for (u32 cpu = 0; cpu < 4; cpu++) {
		if (!dump_cpu_regs(in, cpu, regs, 20))
			continue;
		nr++;
		for (u32 i = 0; i < 20; i++)
			CHECK(regs[i] == make_register(cpu, i), "CPU %u, %u: %#llx", cpu, i, regs[i]);
	}
	CHECK(!dump_cpu_regs(in, 0, regs, DUMP_CPU_REGS + 1) && !dump_cpu_regs(in, 0, regs, 45), "more than there are");
	dump_close(in);
	image_free(&image);
	return nr;
}

static void elf__notes_that_name_their_cpus_have_registers(void)
{
	CHECK(cpus_with_registers(&(struct make){ .nr_cpus = 3 }) == 3, "ELF");
	CHECK(cpus_with_registers(&(struct make){ .nr_cpus = 3, .big = true }) == 3, "big-endian");
	CHECK(cpus_with_registers(&(struct make){ .nr_cpus = 4, .version = 6 }) == 4, "kdump");
	CHECK(cpus_with_registers(&(struct make){ .nr_cpus = 3, .of_kernel = true }) == 0, "of a dying kernel");
}

int main(void)
{
	TAP_RUN(elf__both_byte_orders_give_the_pages_that_were_put_in);
	TAP_RUN(elf__every_machine_and_page_size_is_read);
	TAP_RUN(elf__segments_need_not_be_aligned_in_the_file);
	TAP_RUN(elf__more_than_65535_segments_are_counted_in_a_section_header);
	TAP_RUN(elf__memory_given_twice_is_read_once);
	TAP_RUN(elf__next_data_tells_what_is_in_the_file);
	TAP_RUN(elf__cut_at_every_boundary_the_rest_is_read);
	TAP_RUN(elf__cut_anywhere_the_rest_is_read);
	TAP_RUN(elf__a_missing_count_of_segments_does_not_lose_them);
	TAP_RUN(elf__the_incomplete_flag_is_told);
	TAP_RUN(elf__what_is_no_64_bit_core_is_refused_by_name);
	TAP_RUN(elf__absurd_numbers_are_survived);
	TAP_RUN(elf__every_flipped_byte_is_survived);
	TAP_RUN(elf__memory_without_program_headers_is_read_in_a_row);
	TAP_RUN(elf__a_live_kernels_virtual_memory_is_no_memory);
	TAP_RUN(elf__notes_that_name_their_cpus_have_registers);
	TAP_RUN(elf__absurdly_many_segments_are_not_all_looked_at);
	TAP_RUN(elf__a_sparse_tib_is_walked_by_what_is_in_it);
	return tap_done();
}
