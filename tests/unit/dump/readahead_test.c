// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is read ahead of a raw file or looked at by a mapping, and what is not: bytes, calls and damage.
 *
 * build: @extractor -Wl,--wrap=pread64 -Wl,--wrap=mmap64 -Wl,--wrap=madvise
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "dump/dump_impl.h"
#include "tap.h"

#define PAGES	1024
#define SIZE	(PAGES * 4096ULL)

static unsigned int calls;
static u64 bytes_read;
static u64 bad = ~0ULL;		/* the page that the disk does not give */

ssize_t __real_pread64(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off)
{
	ssize_t n;

	calls++;
	if ((u64)off / 4096 == bad) {
		errno = EIO;
		return -1;
	}
	if ((u64)off / 4096 < bad && off + size > bad * 4096)
		size = bad * 4096 - off;
	n = __real_pread64(fd, buf, size, off);
	bytes_read += n > 0 ? n : 0;
	return n;
}

static off_t mapped;		/* where the last mapping begins */
static bool is_old;		/* a kernel that does not know what madvise() is asked for */

void *__real_mmap64(void *at, size_t size, int prot, int flags, int fd, off_t off);
void *__wrap_mmap64(void *at, size_t size, int prot, int flags, int fd, off_t off);
void *__wrap_mmap64(void *at, size_t size, int prot, int flags, int fd, off_t off)
{
	mapped = off;
	return __real_mmap64(at, size, prot, flags, fd, off);
}

int __real_madvise(void *at, size_t size, int advice);
int __wrap_madvise(void *at, size_t size, int advice);
int __wrap_madvise(void *at, size_t size, int advice)
{
	bool has_bad = bad >= (u64)mapped / 4096 && bad < (mapped + size) / 4096;

	errno = is_old ? EINVAL : EFAULT;
	return is_old || has_bad ? -1 : __real_madvise(at, size, advice);
}

static u64 word_of(u64 page)
{
	return page * 0x9e3779b97f4a7c15ULL + 1;
}

static void put_page(int fd, u64 page, u64 word)
{
	CHECK(pwrite(fd, &word, 8, page * 4096) == 8, "not written");
}

static int make_file(void)
{
	int fd = memfd_create("view", 0);

	CHECK(!ftruncate(fd, SIZE), "no file");
	for (u64 page = 0; page < PAGES; page++)
		put_page(fd, page, word_of(page));
	return fd;
}

static struct dump *open_file(int fd)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(!dump_open_fd(&in, fd, &err), "%s", err.msg);
	calls = bytes_read = 0;
	return in;
}

static bool peek_is(struct dump *in, u64 page, u64 word)
{
	u64 got = 0;

	return dump_peek(in, page * 4096, (u8 *)&got) && got == word;
}

static void view__pages_in_order_take_few_calls(void)
{
	struct dump *in = open_file(make_file());

	for (u64 page = 0; page < PAGES; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(calls <= 6 + SIZE / VIEW_SIZE, "%u calls", calls);
	CHECK(bytes_read <= SIZE + 4096, "%llu bytes", bytes_read);
	dump_close(in);
}

static void view__a_page_here_and_there_is_eight_bytes(void)
{
	struct dump *in = open_file(make_file());
	u64 page = 0;

	for (int i = 0; i < 2000; i++) {
		page = (page + 509) % PAGES;
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	}
	for (page = PAGES; page--; )
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(bytes_read <= 8 * (2000 + PAGES), "%llu bytes", bytes_read);
	dump_close(in);
}

static void view__nothing_is_read_behind_a_hole(void)
{
	int fd = memfd_create("view", 0);
	struct dump *in;
	u64 next, len;

	CHECK(!ftruncate(fd, 1ULL << 40), "no file");
	for (u64 at = 0; at < 64; at++)
		for (u64 page = 0; page < 4; page++)
			put_page(fd, (at << 20) + page, word_of(page));
	in = open_file(fd);
	for (u64 at = 0; dump_next_data(in, at, &next, &len); at = next + len)
		for (u64 page = 0; page < len / 4096; page++)
			CHECK(peek_is(in, next / 4096 + page, word_of(page)), "page %llu", page);
	CHECK(bytes_read <= 64 * 4 * 4096, "%llu bytes", bytes_read);
	dump_close(in);
}

static void view__a_bad_page_is_told_when_it_is_wanted(void)
{
	struct dump *in = open_file(make_file());

	bad = 100;
	for (u64 page = 0; page < 100; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(!dump_incomplete(in), "never read, yet noted: %s", dump_damage(in, 0));
	CHECK(!peek_is(in, 100, word_of(100)), "the bad page was read");
	CHECK(dump_incomplete(in) && !strncmp(dump_damage(in, 0), "byte 409600: ", 13), "%s",
	      dump_damage(in, 0) ?: "no note");
	for (u64 page = 101; page < PAGES; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(!dump_damage(in, 1), "%s", dump_damage(in, 1));
	bad = ~0ULL;
	dump_close(in);
}

static void view__of_pages_in_a_row_only_the_heads_are_read(void)
{
	struct dump *in = open_file(make_file());

	for (u64 page = 0; page < PAGES; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(bytes_read <= SIZE / 8, "%llu bytes", bytes_read);
	dump_close(in);
}

static void view__a_kernel_that_maps_nothing_reads(void)
{
	struct dump *in = open_file(make_file());

	is_old = true;
	for (u64 page = 0; page < PAGES; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(bytes_read > SIZE / 2, "%llu bytes", bytes_read);
	is_old = false;
	dump_close(in);
}

/* While pages in a row are looked at. */
static void view__a_file_that_shrinks_later_is_told(void)
{
	int fd = make_file();
	struct dump *in = open_file(fd);
	u8 first[8];

	for (u64 page = 0; page < 100; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(!ftruncate(fd, 200 * 4096), "not cut");
	for (u64 page = 100; page < PAGES; page++)
		dump_peek(in, page * 4096, first);
	CHECK(!dump_peek(in, 1000 * 4096, first) && dump_incomplete(in), "no note");
	dump_close(in);
}

static void view__a_file_that_shrinks_is_told(void)
{
	int fd = make_file();
	struct dump *in = open_file(fd);
	u8 first[8];

	for (u64 page = 0; page < 8; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(!ftruncate(fd, 100 * 4096), "not cut");
	for (u64 page = 8; page < 100; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
	CHECK(!dump_peek(in, 100 * 4096, first) && dump_incomplete(in), "no note");
	dump_close(in);
}

static void view__what_is_recorded_into_is_read_each_time(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int fd = make_file();

	CHECK(!dump_open_live(&in, fd, &err), "%s", err.msg);
	bytes_read = 0;
	for (u64 page = 0; page < 20; page++)
		CHECK(peek_is(in, page, word_of(page)), "page %llu", page);
	for (u64 page = 0; page < 20; page++)
		put_page(fd, page, page);
	for (u64 page = 0; page < 20; page++)
		CHECK(peek_is(in, page, page), "page %llu is old", page);
	CHECK(bytes_read == 8 * 40, "%llu bytes", bytes_read);
	dump_close(in);
}

int main(void)
{
	TAP_RUN(view__pages_in_order_take_few_calls);
	TAP_RUN(view__a_page_here_and_there_is_eight_bytes);
	TAP_RUN(view__nothing_is_read_behind_a_hole);
	TAP_RUN(view__a_bad_page_is_told_when_it_is_wanted);
	TAP_RUN(view__of_pages_in_a_row_only_the_heads_are_read);
	TAP_RUN(view__a_kernel_that_maps_nothing_reads);
	TAP_RUN(view__a_file_that_shrinks_is_told);
	TAP_RUN(view__a_file_that_shrinks_later_is_told);
	TAP_RUN(view__what_is_recorded_into_is_read_each_time);
	return tap_done();
}
