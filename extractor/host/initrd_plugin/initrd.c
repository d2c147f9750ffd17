// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * epitaph-archive.so: a library of its own, so that nothing but a look into an initramfs waits
 * for libarchive, and what that needs, to be loaded.  initrd_load.c does.
 *
 * Microcode comes first, in an archive of its own that is not compressed, and
 * zeroes may follow; libarchive knows only one archive in a file.
 */
#include "host/initrd.h"

#include <archive.h>
#include <archive_entry.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CPIO_HEAD	110	/* bytes, in ASCII: magic and 13 numbers of 8 digits */
#define CPIO_NAME_MAX	4096
#define CPIO_FILE_SIZE	54	/* offset of the number */
#define CPIO_NAME_SIZE	94
#define BLOCK		65536
#define MOST_FILES	1000000
#define MOST_BYTES	(4ULL << 30)	/* what comes out of a file */

struct initrd_walk {
	int fd;
	u64 off;
	bool (*wanted)(const char *name);
};

static u64 cpio_number(const char *head, unsigned int off)
{
	char digits[9];

	memcpy(digits, head + off, 8);
	digits[8] = '\0';
	return strtoull(digits, NULL, 16);
}

static u64 align4(u64 n)
{
	return (n + 3) & ~3ULL;
}

static bool is_wanted_name(const struct initrd_walk *walk, const char *name)
{
	return walk->wanted(strncmp(name, "./", 2) ? name : name + 2);
}

/* One file of an archive that is not compressed; 1: wanted, 2: the last one. */
static int plain_file(struct initrd_walk *walk, struct err *err)
{
	char head[CPIO_HEAD], name[CPIO_NAME_MAX + 1];
	u64 size;
	ssize_t n;

	if (pread(walk->fd, head, sizeof(head), walk->off) != sizeof(head) ||
	    (memcmp(head, "070701", 6) && memcmp(head, "070702", 6)))
		return err_set(err, ERR_CORRUPT, walk->off, "the archive breaks off");
	size = cpio_number(head, CPIO_NAME_SIZE);
	n = pread(walk->fd, name, size < CPIO_NAME_MAX ? size : CPIO_NAME_MAX,
		  walk->off + CPIO_HEAD);
	if (n <= 0)
		return err_set(err, ERR_CORRUPT, walk->off, "a name is missing");
	name[n] = '\0';
	walk->off = align4(align4(walk->off + CPIO_HEAD + size) +
			   cpio_number(head, CPIO_FILE_SIZE));
	if (!strcmp(name, "TRAILER!!!"))
		return 2;
	return is_wanted_name(walk, name);
}

static int plain_archive(struct initrd_walk *walk, struct err *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < MOST_FILES && !ret; i++)
		ret = plain_file(walk, err);
	return ret == 2 ? 0 : ret;
}

/* What is at the next byte that is not zero: 0: nothing, 1: a plain archive, 2: something else. */
static int next_archive_kind(struct initrd_walk *walk)
{
	char head[BLOCK];
	ssize_t n, i;

	while ((n = pread(walk->fd, head, sizeof(head), walk->off)) > 0) {
		for (i = 0; i < n && !head[i]; i++)
			;
		walk->off += i;
		if (i == n)
			continue;
		n = pread(walk->fd, head, 5, walk->off);
		return n == 5 && !memcmp(head, "07070", 5) ? 1 : 2;
	}
	return 0;
}

static int err_archive(struct archive *a, u64 off, struct err *err)
{
	const char *words = archive_error_string(a);

	return err_set(err, ERR_CORRUPT, off, "%s", words ? words : "it cannot be read");
}

/* By the libraries of the compressors, and by no program. */
static struct archive *open_packed(int fd, u64 off, bool raw)
{
	struct archive *a = archive_read_new();

	if (!a)
		return NULL;
	archive_read_support_filter_gzip(a);
	archive_read_support_filter_bzip2(a);
	archive_read_support_filter_xz(a);
	archive_read_support_filter_lzma(a);
	archive_read_support_filter_zstd(a);
	archive_read_support_filter_lz4(a);
	if (raw)
		archive_read_support_format_raw(a);
	else
		archive_read_support_format_cpio(a);
	if (lseek(fd, off, SEEK_SET) >= 0)
		archive_read_open_fd(a, fd, BLOCK);
	return a;
}

static int packed_archive(struct initrd_walk *walk, struct err *err)
{
	struct archive *a = open_packed(walk->fd, walk->off, false);
	struct archive_entry *entry;
	int ret = 0, got = ARCHIVE_EOF;
	unsigned int i;

	if (!a)
		return err_set(err, ERR_IO, ERR_NO_OFF, "out of memory");
	for (i = 0; i < MOST_FILES && !ret; i++) {
		got = archive_read_next_header(a, &entry);
		if (got != ARCHIVE_OK && got != ARCHIVE_WARN)
			break;
		ret = is_wanted_name(walk, archive_entry_pathname(entry) ?: "");
	}
	if (!ret && got != ARCHIVE_EOF)
		ret = err_archive(a, walk->off, err);
	archive_read_free(a);
	return ret;
}

__attribute__((visibility("default")))
int initrd_has(int fd, bool (*wanted)(const char *name), struct err *err)
{
	struct initrd_walk walk = { fd, 0, wanted };
	int ret = 0, what;

	while (!ret && (what = next_archive_kind(&walk))) {
		if (what == 2)
			return packed_archive(&walk, err);
		ret = plain_archive(&walk, err);
	}
	return ret;
}

/* @buf always has the last @size bytes that came. */
static u64 keep_tail(struct archive *a, u8 *buf, size_t size)
{
	u8 block[BLOCK];
	u64 sum = 0;
	la_ssize_t n;
	size_t keep;

	while (sum < MOST_BYTES && (n = archive_read_data(a, block, sizeof(block))) > 0) {
		keep = (size_t)n < size ? size - n : 0;
		memmove(buf, buf + size - keep, keep);
		memcpy(buf + keep, block + n - (size - keep), size - keep);
		sum += n;
	}
	return sum;
}

__attribute__((visibility("default")))
int initrd_tail(int fd, void *buf, size_t size, struct err *err)
{
	struct archive *a = open_packed(fd, 0, true);
	struct archive_entry *entry;
	int ret = 0;

	if (!a)
		return err_set(err, ERR_IO, ERR_NO_OFF, "out of memory");
	if (archive_read_next_header(a, &entry) != ARCHIVE_OK || keep_tail(a, buf, size) < size)
		ret = err_archive(a, 0, err);
	archive_read_free(a);
	return ret;
}
