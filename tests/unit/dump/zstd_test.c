// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A compressed file has every byte that was put, by the library's own reader and by ours; cut or
 * damaged it gives no wrong byte.
 *
 * build: -lzstd @extractor
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include "dump/dump.h"
#include "os/compressed_file.h"
#include "tap.h"

#define SIZE	(900u << 10)	/* seven frames, the last one smaller */

static u8 content[SIZE], got[SIZE];

static int file_of(const void *data, size_t size)
{
	int fd = memfd_create("zstd", 0);

	if (fd < 0 || new_file_write(fd, data, size, 0) != size)
		abort();
	return fd;
}

/* Bytes that do not compress, zeroes, and words that do. */
static void fill_content(void)
{
	size_t i;

	srand(7);
	for (i = 0; i < 300u << 10; i++)
		content[i] = rand();
	for (i = 700u << 10; i < 850u << 10; i++)
		content[i] = "a word "[i % 7];
}

/* As a copy does that steps over holes: 300..700 and the end are not put. */
static int write_content(void)
{
	struct err err = ERR_INIT;
	int fd = memfd_create("zstd", 0);
	struct compressed_file *f = compressed_file_new(fd, 0);
	u64 at, n;

	for (at = 0; at < 850u << 10; at += n) {
		n = at + 10007 > 850u << 10 ? (850u << 10) - at : 10007;
		if (at < 300u << 10 || at >= 690u << 10)
			CHECK(!compressed_file_put(f, at, content + at, n, &err), "%s", err.msg);
	}
	CHECK(!compressed_file_end(f, SIZE, &err), "%s", err.msg);
	compressed_file_free(f);
	return fd;
}

static u8 *read_packed(int fd, size_t *size)
{
	u8 *packed = malloc(*size = lseek(fd, 0, SEEK_END));

	if (!packed || pread(fd, packed, *size, 0) != (ssize_t)*size)
		abort();
	return packed;
}

static struct dump *open_file(int fd)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(!dump_open_fd(&in, fd, &err), "%s", err.msg);
	return in;
}

static void zstd__both_readers_give_what_was_put(void)
{
	int fd = write_content();
	struct dump *in;
	size_t size, i;
	u8 *packed = read_packed(fd, &size);

	CHECK(size < 320u << 10, "%zu bytes", size);
	CHECK(ZSTD_decompress(got, SIZE, packed, size) == SIZE && !memcmp(got, content, SIZE), "by the library");
	in = open_file(fd);
	CHECK(dump_nr_segments(in) == 1 && dump_end(in) == SIZE, "%llu bytes", dump_end(in));
	CHECK(dump_read(in, 0, got, SIZE, NULL) == SIZE && !memcmp(got, content, SIZE), "at once");
	for (i = 0; i < 3000; i++) {
		u64 at = rand() % SIZE, n = rand() % 300000;

		n = at + n > SIZE ? SIZE - at : n;
		CHECK(dump_read(in, at, got, n, NULL) == (ssize_t)n && !memcmp(got, content + at, n), "%llu at %llu", n, at);
	}
	CHECK(!dump_read(in, SIZE, got, 1, NULL) && !dump_damage(in, 0), "behind the end");
	dump_close(in);
	free(packed);
}

static void zstd__a_cut_file_has_the_frames_before(void)
{
	int fd = write_content();
	size_t size, cut;
	u8 *packed = read_packed(fd, &size);

	close(fd);
	for (cut = 140u << 10; cut < size; cut += 613) {
		struct dump *in = open_file(file_of(packed, cut));
		ssize_t n = dump_read(in, 0, got, SIZE, NULL);

		CHECK(n >= 128 << 10 && (u64)n == dump_end(in) && n < SIZE && !memcmp(got, content, n), "%zd of a cut at %zu", n, cut);
		CHECK(dump_is_cut(in) && dump_damage(in, 0), "a cut at %zu is not noted", cut);
		dump_close(in);
	}
	free(packed);
}

static void zstd__a_damaged_frame_is_left_out(void)
{
	int fd = write_content();
	struct dump *in;
	size_t size;
	u8 *packed = read_packed(fd, &size);

	close(fd);
	packed[200u << 10] ^= 1;	/* of the second frame */
	in = open_file(file_of(packed, size));
	CHECK(dump_read(in, 0, got, SIZE, NULL) == 128 << 10 && !memcmp(got, content, 128 << 10), "what is before");
	CHECK(dump_read(in, 256 << 10, got, 1 << 17, NULL) == 1 << 17 && !memcmp(got, content + (256 << 10), 1 << 17), "what is behind");
	CHECK(dump_damage(in, 0) && strstr(dump_damage(in, 0), "does not decompress"), "not noted");
	dump_close(in);
	free(packed);
}

static void zstd__any_damage_is_survived(void)
{
	int fd = write_content();
	size_t size, i;
	u8 *packed = read_packed(fd, &size);

	close(fd);
	for (i = 0; i < 400; i++) {
		size_t at = i < 40 ? i : rand() % size;
		u8 was = packed[at];
		struct dump *in = NULL;
		u64 page;

		packed[at] = rand();
		if (!dump_open_fd(&in, file_of(packed, size), NULL))
			for (page = 0; page + 4096 <= dump_end(in) && page < SIZE && at >= 18; page += 4096)
				CHECK(dump_read(in, page, got, 4096, NULL) < 4096 || !memcmp(got, content + page, 4096),
				      "byte %zu, page %llu", at, page);
		dump_close(in);
		packed[at] = was;
	}
	free(packed);
}

static void refuse(const void *data, size_t size, const char *what)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;

	CHECK(dump_open_fd(&in, file_of(data, size), &err) == -ERR_NOT_OURS && strstr(err.msg, "unzstd"), "%s: %s", what, err.msg);
}

static void zstd__other_files_of_zstd_are_refused_with_how(void)
{
	static u8 zeroes[2 << 20], packed[3 << 20];
	ZSTD_CCtx *zstd = ZSTD_createCCtx();

	refuse(packed, ZSTD_compress(packed, sizeof(packed), zeroes, sizeof(zeroes), 3), "one large frame");
	ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, 0);
	refuse(packed, ZSTD_compress2(zstd, packed, sizeof(packed), zeroes, 5000), "a frame of no known size");
	ZSTD_freeCCtx(zstd);
	refuse("\x28\xb5\x2f\xfd", 4, "nothing behind the magic");
}

int main(void)
{
	fill_content();
	TAP_RUN(zstd__both_readers_give_what_was_put);
	TAP_RUN(zstd__a_cut_file_has_the_frames_before);
	TAP_RUN(zstd__a_damaged_frame_is_left_out);
	TAP_RUN(zstd__any_damage_is_survived);
	TAP_RUN(zstd__other_files_of_zstd_are_refused_with_how);
	return tap_done();
}
