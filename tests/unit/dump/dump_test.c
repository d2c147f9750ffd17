// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What an input may be, and what it does when the file is not what it was.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c -lkdumpfile @extractor
 */
#include <errno.h>
#include <fcntl.h>
#include <lzo/lzo1x.h>
#include <snappy-c.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <zlib.h>
#include <zstd.h>

#include "dump/page_codec.h"
#include "dump_check.h"

static struct image raw_image(const void *data, size_t size)
{
	struct image image = { 0 };

	for (size_t i = 0; i < size; i++)
		image_put(&image, i, ((const u8 *)data)[i], 1, false);
	return image;
}

static void refuse_bytes(const void *data, size_t size, const char *words)
{
	struct image image = raw_image(data, size);

	expect_refusal(&image, size, ERR_NOT_OURS, words);
	image_free(&image);
}

#define REFUSE(bytes, words) refuse_bytes(bytes "tail", sizeof(bytes "tail"), words)

static void input__what_must_be_converted_first_is_refused_with_how(void)
{
	REFUSE("\x1f\x8b\x08", "gunzip");
	REFUSE("\xfd" "7zXZ\0", "unxz");
	REFUSE("\x28\xb5\x2f\xfd", "unzstd");
	REFUSE("\x04\x22\x4d\x18", "unlz4");
	REFUSE("BZh9", "bunzip2");
	REFUSE("DISKDUMP", "diskdump");
}

static void refuse_path(const char *path, int code, const char *words)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(dump_open(&in, path, &err) == -code, "%s: %d", path, err.code);
	CHECK(strstr(err.msg, words) && !strncmp(err.msg, path, strlen(path)), "%s", err.msg);
	dump_close(in);
}

static void input__what_is_no_file_of_bytes_is_refused_by_name(void)
{
	refuse_path("/proc/self/fdinfo", ERR_NOT_OURS, "is a directory");
	refuse_path("/dev/null", ERR_NOT_OURS, "character device");
	refuse_path("/dev/zero", ERR_NOT_OURS, "character device");
	refuse_path("/nonexistent", ERR_IO, "No such file");
	refuse_path("/proc/self/mem/x", ERR_IO, "Not a directory");
	expect_refusal(&(struct image){ .data = (u8 *)"" }, 0, ERR_NOT_OURS, "is empty");
}

static void input__any_other_file_is_memory_from_address_0_on(void)
{
	u8 got[100];

	for (size_t size = 1; size < 70; size++) {
		struct image image = raw_image("EPITAPH.abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghij", size);
		struct dump *in = open_image(&image, size);

		CHECK(!strcmp(dump_kind(in), "raw file"), "%s", dump_kind(in));
		CHECK(dump_nr_segments(in) == 1 && dump_segment(in, 0).size == size,
		      "%zu", dump_nr_segments(in));
		CHECK(dump_read(in, 0, got, 100, NULL) == (ssize_t)size, "%zu", size);
		CHECK(!memcmp(got, image.data, size), "%zu", size);
		CHECK(dump_read(in, size, got, 1, NULL) == 0, "%zu", size);
		CHECK(dump_peek(in, 0, got) == (size >= 8), "%zu", size);
		CHECK(!dump_incomplete(in), "%s", dump_damage(in, 0));
		dump_close(in);
		image_free(&image);
	}
}

static void input__a_name_says_nothing(void)
{
	char path[] = "/tmp/vmcore-XXXXXX.gz";
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });
	struct dump *in = NULL;
	int fd = mkstemps(path, 3);

	CHECK(write(fd, image.data, image.size) == (ssize_t)image.size, "write");
	close(fd);
	CHECK(!dump_open(&in, path, NULL), "not opened");
	CHECK(in && !strcmp(dump_kind(in), "kdump-compressed dump (lzo)"), "kind");
	dump_close(in);
	unlink(path);
	image_free(&image);
}

/* Below @top, of which the longest is removed first. */
static void put_below(const char *top, const char *name, const char *text)
{
	char path[256];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", top, name);
	if (!text) {
		CHECK(!mkdir(path, 0700), "%s", path);
		return;
	}
	fd = open(path, O_WRONLY | O_CREAT, 0600);
	CHECK(write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s", path);
	close(fd);
}

static void remove_below(const char *top, const char *name)
{
	char path[256];

	snprintf(path, sizeof(path), "%s/%s", top, name);
	CHECK(!remove(path), "%s", path);
}

/* Files are named by their path in the directory, down to a depth. Links are not followed. */
static void input__a_directory_without_parts_says_what_is_in_it(void)
{
	static const char *const names[] = { "a", "a/b", "a/b/c", "a/b/c/deeper", "a/b/file", "a/other" };
	char top[] = "/tmp/input-XXXXXX", link[256];
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(mkdtemp(top), "mkdtemp");
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		put_below(top, names[i], i < 3 ? NULL : "EPITAPHpart");
	snprintf(link, sizeof(link), "%s/link", top);
	CHECK(!symlink("a", link), "symlink");
	CHECK(dump_open(&in, top, &err) == -ERR_NOT_OURS, "%s", err.msg);
	CHECK(strstr(err.msg, "none of its 2 files") && strstr(err.msg, "a/b/file") && strstr(err.msg, "a/other"),
	      "%s", err.msg);
	remove_below(top, "link");
	for (size_t i = ARRAY_SIZE(names); i--;)
		remove_below(top, names[i]);
	CHECK(dump_open(&in, top, &err) == -ERR_NOT_OURS && strstr(err.msg, "without files"), "%s", err.msg);
	rmdir(top);
}

/* Feed the image through a pipe, in pieces, from a child. */
static pid_t feed(const struct image *image, int to)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (size_t at = 0; at < image->size; at += 1000)
		if (write(to, image->data + at, image->size - at < 1000 ? image->size - at : 1000) < 0)
			_exit(1);
	_exit(0);
}

static void check_piped(const char *path, const struct image *image, const struct make *make,
			int from)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	if (from >= 0)
		dup2(from, STDIN_FILENO);
	CHECK(!dump_open(&in, path, &err), "%s", err.msg);
	if (in)
		check_pages(in, image, make, image->size);
	dump_close(in);
}

static void input__a_pipe_is_copied_so_that_it_can_seek(void)
{
	struct make make = { .method = MAKE_ZLIB };
	struct image image = make_kdump(&make);
	int ends[2], status;
	pid_t pid;

	CHECK(!pipe(ends), "pipe");
	pid = feed(&image, ends[1]);
	close(ends[1]);
	check_piped("-", &image, &make, ends[0]);
	close(ends[0]);
	CHECK(waitpid(pid, &status, 0) == pid && !status, "%x", status);
	image_free(&image);
}

static void input__standard_input_from_a_file_is_read_in_place(void)
{
	struct make make = { .method = MAKE_SNAPPY };
	struct image image = make_kdump(&make);
	int fd = image_fd(&image, image.size);

	setenv("TMPDIR", "/nonexistent", 1);		/* no copy is made */
	check_piped("-", &image, &make, fd);
	unsetenv("TMPDIR");
	close(fd);
	image_free(&image);
}

static void input__a_pipe_that_cannot_be_copied_is_an_error_of_the_system(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	int ends[2];

	CHECK(!pipe(ends), "pipe");
	setenv("TMPDIR", "/nonexistent", 1);
	CHECK(dump_open_fd(&in, ends[0], &err) == -ERR_IO && err.errnum == ENOENT, "%s", err.msg);
	CHECK(strstr(err.msg, "/nonexistent"), "%s", err.msg);
	unsetenv("TMPDIR");
	close(ends[1]);
}

static void input__a_file_of_proc_that_says_it_is_empty_is_read(void)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	char got[16] = "";

	CHECK(!dump_open(&in, "/proc/version", &err), "%s", err.msg);
	CHECK(in && dump_read(in, 0, got, 5, NULL) == 5 && !strcmp(got, "Linux"), "%s", got);
	dump_close(in);
}

/* --- files that change --------------------------------------------------- */

static void shrink(struct image image, const struct make *make)
{
	int fd = image_fd(&image, image.size);
	struct dump *in = NULL;

	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(!ftruncate(fd, image.size / 2), "ftruncate");
	check_pages(in, &image, make, image.size / 2);
	CHECK(has_damage(in, "shrank"), "%s", dump_damage(in, 0));
	CHECK(!ftruncate(fd, 0), "ftruncate");
	count_data_pages(in);
	check_pages(in, &image, make, 0);
	dump_close(in);
	image_free(&image);
}

static void input__a_file_that_shrinks_is_damage(void)
{
	static u8 page[1 << 20];
	struct make elf = { 0 };
	int fd = memfd_create("raw", MFD_CLOEXEC);
	struct dump *in = NULL;

	shrink(make_elf(&elf), &elf);
	CHECK(write(fd, page, sizeof(page)) == sizeof(page), "write");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(!ftruncate(fd, 5000), "ftruncate");
	CHECK(dump_read(in, 0, page, sizeof(page), NULL) == 5000, "not 5000");
	CHECK(has_damage(in, "shrank"), "%s", dump_damage(in, 0));
	dump_close(in);
}

/* What is cached may still be given, so only: no crash, and nothing wrong. */
static void input__a_kdump_file_that_shrinks_never_gives_wrong_bytes(void)
{
	struct image image = make_kdump(&(struct make){ .method = MAKE_LZO });
	int fd = image_fd(&image, image.size);
	u8 got[4096], want[4096];
	struct dump *in = NULL;

	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	for (size_t size = image.size; size > 512; size -= 512) {
		CHECK(!ftruncate(fd, size), "ftruncate");
		for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++) {
			make_page(pfn, 4096, want);
			if (dump_read(in, pfn * 4096, got, 4096, NULL) == 4096)
				CHECK(!memcmp(got, want, 4096), "page %u", pfn);
		}
	}
	CHECK(dump_incomplete(in), "no note");
	dump_close(in);
	image_free(&image);
}

static void input__holes_of_a_file_are_stepped_over(void)
{
	int fd = memfd_create("sparse", MFD_CLOEXEC);
	u64 next = 0, len = 0;
	struct dump *in = NULL;

	CHECK(!ftruncate(fd, 1ULL << 40) && pwrite(fd, "x", 1, (1ULL << 39) + 5000) == 1, "write");
	CHECK(!dump_open_fd(&in, fd, NULL), "not opened");
	CHECK(dump_next_data(in, 0, &next, &len) && next == (1ULL << 39) + 4096, "%#llx", next);
	CHECK(!dump_next_data(in, next + len, &next, &len), "%#llx", next);
	dump_close(in);
}

/* --- one page ------------------------------------------------------------ */

/* The compressors, and what they make of a page that repeats every @period bytes. */
static size_t compress_page(enum codec_method method, bool other, const u8 *page, u8 *out,
			    size_t room)
{
	static u8 work[LZO1X_999_MEM_COMPRESS] __attribute__((aligned(16)));
	uLongf zlib_len = room;
	lzo_uint lzo_len = 0;

	switch (method) {
	case CODEC_ZLIB:
		return compress2(out, &zlib_len, page, 4096, 6) ? 0 : zlib_len;
	case CODEC_LZO:
		return (other ? lzo1x_999_compress : lzo1x_1_compress)
			(page, 4096, out, &lzo_len, work) ? 0 : lzo_len;
	case CODEC_SNAPPY:
		return snappy_compress((const char *)page, 4096, (char *)out, &room) ? 0 : room;
	default:
		room = ZSTD_compress(out, room, page, 4096, 1);
		return ZSTD_isError(room) ? 0 : room;
	}
}

static void codec__a_head_is_right_or_not_given(void)
{
	struct codec *codec = codec_create();
	static u8 page[4096], packed[8192], back[4096];
	size_t nr_given = 0;
	u8 head[8];

	for (u32 i = 0; i < 8 * 300; i++) {
		enum codec_method method = CODEC_ZLIB + i % 4;
		u32 period = i / 8 + 1;
		size_t len;

		for (size_t k = 0; k < sizeof(page); k++)
			page[k] = k % period * 31;
		len = compress_page(method, i & 4, page, packed, sizeof(packed));
		CHECK(!codec_page(codec, method, packed, len, back, sizeof(back)) &&
		      !memcmp(page, back, sizeof(page)), "%s, period %u", codec_name(method), period);
		if (!codec_head(codec, method, packed, len, head))
			continue;
		nr_given++;
		CHECK(!memcmp(head, page, 8), "%s, period %u", codec_name(method), period);
	}
	CHECK(nr_given > 6 * 280, "only %zu", nr_given);
	codec_destroy(codec);
}

static void codec__any_source_is_survived(void)
{
	struct codec *codec = codec_create();
	static u8 src[512], page[4096];
	u8 head[8];

	srand(5);
	for (int i = 0; i < 200000; i++) {
		enum codec_method method = CODEC_ZLIB + i % 4;
		size_t len = rand() % sizeof(src);

		for (size_t k = 0; k < len && k < 16; k++)
			src[k] = rand();
		CHECK(codec_page(codec, method, src, len, page, sizeof(page)),
		      "%zu bytes of noise are a page (%s)", len, codec_name(method));
		codec_head(codec, method, src, len, head);
	}
	codec_destroy(codec);
}

int main(void)
{
	TAP_RUN(input__what_must_be_converted_first_is_refused_with_how);
	TAP_RUN(input__what_is_no_file_of_bytes_is_refused_by_name);
	TAP_RUN(input__any_other_file_is_memory_from_address_0_on);
	TAP_RUN(input__a_name_says_nothing);
	TAP_RUN(input__a_directory_without_parts_says_what_is_in_it);
	TAP_RUN(input__a_pipe_is_copied_so_that_it_can_seek);
	TAP_RUN(input__standard_input_from_a_file_is_read_in_place);
	TAP_RUN(input__a_pipe_that_cannot_be_copied_is_an_error_of_the_system);
	TAP_RUN(input__a_file_of_proc_that_says_it_is_empty_is_read);
	TAP_RUN(input__a_file_that_shrinks_is_damage);
	TAP_RUN(input__a_kdump_file_that_shrinks_never_gives_wrong_bytes);
	TAP_RUN(input__holes_of_a_file_are_stepped_over);
	TAP_RUN(codec__a_head_is_right_or_not_given);
	TAP_RUN(codec__any_source_is_survived);
	return tap_done();
}
