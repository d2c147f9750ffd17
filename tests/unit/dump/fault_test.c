// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Inputs on a machine where things fail: each allocation and each system call in
 * turn.
 *
 * build: tests/lib/dump_make.c tests/lib/dump_oracle.c @extractor -lkdumpfile
 * build: -Wl,--wrap=pread64,--wrap=write,--wrap=read,--wrap=fstat64
 * build: -Wl,--wrap=malloc,--wrap=calloc,--wrap=reallocarray
 * build: -Wl,--wrap=inflateInit_,--wrap=ZSTD_createDCtx
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>
#include <zstd.h>

#include "dump_check.h"

/* The calls that fail: number @nr, and @more after it, with @errnum; @hit: one did. */
struct fault {
	int nr, more, errnum;
	bool hit;
};

static struct fault fault_call, fault_memory;

static bool fails(struct fault *f)
{
	if (f->nr < 0)
		return false;
	if (f->nr > 0) {
		f->nr--;
		return false;
	}
	f->hit = true;
	if (f->more-- <= 0)
		f->nr = -1;
	return true;
}

static bool call_fails(void)
{
	bool fail = fails(&fault_call);

	if (fail)
		errno = fault_call.errnum;
	return fail;
}

static bool memory_fails(void)
{
	bool fail = fails(&fault_memory);

	if (fail)
		errno = ENOMEM;
	return fail;
}

static void no_faults(void)
{
	fault_call = fault_memory = (struct fault){ .nr = -1 };
}

ssize_t __real_pread64(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off);
ssize_t __wrap_pread64(int fd, void *buf, size_t size, off_t off)
{
	/* In pieces, as a slow file system may. */
	return call_fails() ? -1 : __real_pread64(fd, buf, size > 3000 ? 3000 : size, off);
}

ssize_t __real_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size);
ssize_t __wrap_read(int fd, void *buf, size_t size)
{
	return call_fails() ? -1 : __real_read(fd, buf, size);
}

ssize_t __real_write(int fd, const void *buf, size_t size);
ssize_t __wrap_write(int fd, const void *buf, size_t size);
ssize_t __wrap_write(int fd, const void *buf, size_t size)
{
	return call_fails() ? -1 : __real_write(fd, buf, size);
}

int __real_fstat64(int fd, struct stat *st);
int __wrap_fstat64(int fd, struct stat *st);
int __wrap_fstat64(int fd, struct stat *st)
{
	return call_fails() ? -1 : __real_fstat64(fd, st);
}

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
	return memory_fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_calloc(size_t nr, size_t size)
{
	return memory_fails() ? NULL : __real_calloc(nr, size);
}

void *__real_reallocarray(void *p, size_t nr, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size);
void *__wrap_reallocarray(void *p, size_t nr, size_t size)
{
	return memory_fails() ? NULL : __real_reallocarray(p, nr, size);
}

int __real_inflateInit_(z_streamp z, const char *version, int size);
int __wrap_inflateInit_(z_streamp z, const char *version, int size);
int __wrap_inflateInit_(z_streamp z, const char *version, int size)
{
	return memory_fails() ? Z_MEM_ERROR : __real_inflateInit_(z, version, size);
}

ZSTD_DCtx *__real_ZSTD_createDCtx(void);
ZSTD_DCtx *__wrap_ZSTD_createDCtx(void);
ZSTD_DCtx *__wrap_ZSTD_createDCtx(void)
{
	return memory_fails() ? NULL : __real_ZSTD_createDCtx();
}

/* --- a walk under faults ------------------------------------------------- */

static struct image images[4];

static void make_images(void)
{
	images[0] = make_kdump(&(struct make){ .method = MAKE_ZLIB });
	images[1] = make_elf(&(struct make){ .xnum = true, .nr_more_segments = 100 });
	images[2] = make_elf(&(struct make){ 0 });
	memset(images[2].data, 'r', 16);	/* no container */
	images[3] = make_flat(&images[0], &(struct flatten){ .backwards = true });
}

/* Each page is read right, or an error is reported.  Return: pages read, -1 not opened. */
static int walk(const struct image *image, struct err *err, bool *reported)
{
	int fd = image_fd(image, image->size), nr = 0;
	struct dump *in = NULL;
	u8 got[4096], want[4096];
	ssize_t n = 0;

	*reported = false;
	if (dump_open_fd(&in, fd, err)) {
		*reported = err->code && *err->msg;
		return -1;
	}
	for (unsigned int pfn = 0; pfn < MAKE_PAGES; pfn++) {
		n = dump_read(in, pfn * 4096, got, 4096, err);
		make_page(pfn, 4096, want);
		*reported |= n < 0;
		if (n != 4096 || !make_is_dumped(pfn) || image == &images[2])
			continue;
		CHECK(!memcmp(got, want, 4096), "page %u is wrong", pfn);
		nr++;
	}
	*reported |= dump_incomplete(in);
	dump_close(in);
	return nr;
}

/* Let call or allocation 0, 1, 2, ... fail until none is left to. */
static void walk_under(const struct image *image, bool memory, int errnum, int more)
{
	int whole, nr = 0, i;
	bool reported;

	no_faults();
	whole = walk(image, NULL, &reported);
	for (i = 0; i < 10000; i++) {
		struct err err = ERR_INIT;

		no_faults();
		/* The image's own write comes first. */
		if (memory)
			fault_memory = (struct fault){ .nr = i, .more = more };
		else
			fault_call = (struct fault){ .nr = i + 1, .more = more, .errnum = errnum };
		nr = walk(image, &err, &reported);
		if (!fault_call.hit && !fault_memory.hit)
			break;
		CHECK(reported || nr == whole, "%d of %d pages, and no error (%d, %d)", nr, whole, i, errnum);
		CHECK(nr >= 0 || err.code == ERR_IO || err.code == ERR_CORRUPT, "%d: %s", err.code, err.msg);
		CHECK(errnum != EINTR || nr == whole, "interrupted at %d: %d of %d pages", i, nr, whole);
	}
	no_faults();
	CHECK(i > 2 && i < 10000, "only %d points", i);
	CHECK(nr == whole, "without a fault %d pages, not %d", nr, whole);
}

static void input__no_memory_is_told_and_nothing_leaks(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(images); i++)
		if (i != 2)
			walk_under(&images[i], true, 0, 0);
}

static void input__a_bad_sector_costs_what_is_on_it(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(images); i++)
		for (int more = 0; more < 6; more += 5)
			walk_under(&images[i], false, EIO, more);
}

static void input__a_system_call_that_fails_is_told(void)
{
	for (size_t i = 0; i < ARRAY_SIZE(images); i++)
		for (int more = 0; more < 6; more += 5)
			walk_under(&images[i], false, EOVERFLOW, more);
}

static void input__an_interrupted_call_goes_on(void)
{
	for (size_t i = 1; i < ARRAY_SIZE(images); i++) {
		struct dump *in = NULL;
		u8 byte;

		no_faults();
		in = open_image(&images[i], images[i].size);
		fault_call = (struct fault){ .more = 20, .errnum = EINTR };
		CHECK(dump_read(in, 0, &byte, 1, NULL) == 1, "not read");
		CHECK(fault_call.hit && !dump_incomplete(in), "%s", dump_damage(in, 0));
		no_faults();
		dump_close(in);
	}
}

/* --- standard input ------------------------------------------------------ */

#define PIPED 20000			/* more than one read */

static u8 piped[PIPED];

static int full_pipe(void)
{
	int ends[2];

	for (size_t i = 0; i < PIPED; i++)
		piped[i] = 'a' + i % 26;
	CHECK(!pipe(ends), "pipe");
	CHECK(__real_write(ends[1], piped, PIPED) == PIPED, "write");
	close(ends[1]);
	return ends[0];
}

/* Copy it while call @nr fails.  Return: was there such a call? */
static bool copy_pipe(int nr, int errnum)
{
	struct err err = ERR_INIT;
	struct dump *in = NULL;
	static u8 got[PIPED + 1];
	bool hit;
	int ret, fd = full_pipe();

	fault_call = (struct fault){ .nr = nr, .errnum = errnum };
	ret = dump_open_fd(&in, fd, &err);
	hit = fault_call.hit;
	no_faults();
	CHECK(hit || !ret, "nothing failed, and yet: %s", err.msg);
	CHECK(!ret || (ret < 0 && *err.msg), "%d: %s", ret, err.msg);
	if (!ret)
		CHECK(dump_read(in, 0, got, sizeof(got), NULL) == PIPED && !memcmp(got, piped, PIPED),
		      "copied wrongly when call %d failed with %d", nr, errnum);
	dump_close(in);
	return hit;
}

static void input__a_pipe_that_cannot_be_copied_whole_is_an_error(void)
{
	static const int errnums[] = { ENOSPC, EIO, EINTR };

	for (size_t k = 0; k < ARRAY_SIZE(errnums); k++) {
		int nr = 0;

		while (nr < 100 && copy_pipe(nr, errnums[k]))
			nr++;
		CHECK(nr > 3 && nr < 100, "%d calls", nr);
	}
}

int main(void)
{
	no_faults();
	make_images();
	TAP_RUN(input__no_memory_is_told_and_nothing_leaks);
	TAP_RUN(input__a_bad_sector_costs_what_is_on_it);
	TAP_RUN(input__a_system_call_that_fails_is_told);
	TAP_RUN(input__an_interrupted_call_goes_on);
	TAP_RUN(input__a_pipe_that_cannot_be_copied_whole_is_an_error);
	for (size_t i = 0; i < ARRAY_SIZE(images); i++)
		image_free(&images[i]);
	return tap_done();
}
