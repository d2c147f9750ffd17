// SPDX-License-Identifier: GPL-2.0-or-later
#include "new_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <epitaph/format.h>

#define PIECE	65536

int new_file_create(int dir, const char *name, struct err *err)
{
	int fd = openat(dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);

	return fd < 0 ? err_sys(err, "%s", name) : fd;
}

/* A mistyped path: name the part of it that is missing. */
static int err_mkdir(int at, const char *path, struct err *err)
{
	int errnum = errno;
	char parent[4096];
	char *slash;

	snprintf(parent, sizeof(parent), "%s", path);
	slash = strrchr(parent, '/');
	if (errnum == ENOENT && slash && slash > parent) {
		*slash = 0;
		if (faccessat(at, parent, F_OK, 0)) {
			errno = errnum;
			return err_sys(err, "%s: cannot be made in %s", path, parent);
		}
	}
	errno = errnum;
	return err_sys(err, "%s", path);
}

int new_file_open_dir(int at, const char *path, struct err *err)
{
	int fd;

	if (mkdirat(at, path, 0700) && errno != EEXIST)
		return err_mkdir(at, path, err);
	fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

size_t new_file_write(int fd, const void *data, size_t size, u64 off)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pwrite(fd, (const u8 *)data + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		done += n;
	}
	return done;
}

/* Up to @size bytes; fewer at the end of the file only; -1: errno has the reason. */
static ssize_t pread_fully(int fd, u8 *buf, size_t size, u64 off)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, buf + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		/* What comes before bad memory is good; the next call meets the bad. */
		if (n < 0)
			return done ? (ssize_t)done : -1;
		if (!n)
			break;
		done += n;
	}
	return done;
}

static bool is_unreadable_errno(int errnum)
{
	return errnum == EHWPOISON || errnum == EIO;
}

size_t unreadable_page_fill(u8 *buf, u64 off, size_t size)
{
	static const char text[] = EPITAPH_UNREADABLE;
	size_t i, n = EPITAPH_PAGE - off % EPITAPH_PAGE;

	for (i = 0; i < n && i < size; i++)
		buf[i] = text[(off + i) % (sizeof(text) - 1)];
	return i;
}

ssize_t new_file_read(int from, u64 off, u8 *buf, size_t size, struct unreadable_pages *bad,
		      struct err *err)
{
	ssize_t n = pread_fully(from, buf, size, off);

	if (n < 0 && bad && is_unreadable_errno(errno)) {
		if (!bad->nr++)
			bad->first = off;
		n = unreadable_page_fill(buf, off, size);
	}
	if (n < 0)
		return err_sys(err, "cannot read at byte %llu", off);
	if (!n)
		return err_set(err, ERR_CORRUPT, off, "it ends at byte %llu, %zu more are wanted",
			       off, size);
	return n;
}

int new_file_copy(int from, u64 off, u64 size, int to, struct err *err)
{
	u8 buf[PIECE];
	size_t written;
	ssize_t n;
	u64 at;

	for (at = 0; at < size; at += n) {
		n = new_file_read(from, off + at, buf, size - at < PIECE ? size - at : PIECE, NULL, err);
		if (n < 0)
			return n;
		if (!buf[0] && !memcmp(buf, buf + 1, n - 1))
			continue;
		written = new_file_write(to, buf, n, at);
		if (written < (size_t)n)
			return err_sys(err, "the copy: cannot write at byte %llu of %llu",
				       at + written, size);
	}
	return ftruncate(to, size) ? err_sys(err, "%llu bytes", size) : 0;
}

int new_file_is_same(int a, int b, struct err *err)
{
	u8 x[PIECE], y[PIECE];
	ssize_t n, m;
	u64 off = 0;

	do {
		n = pread_fully(a, x, PIECE, off);
		m = pread_fully(b, y, PIECE, off);
		if (n < 0 || m < 0)
			return err_sys(err, "cannot read at byte %llu", off);
		if (n != m || memcmp(x, y, n))
			return 0;
		off += n;
	} while (n);
	return 1;
}

/* For file systems without RENAME_NOREPLACE: a link fails as well if the name is taken. */
static int place_by_link(int dir, const char *from, const char *to)
{
	struct stat st;

	if (fstatat(dir, from, &st, AT_SYMLINK_NOFOLLOW))
		return -1;
	/* A directory replaces an empty one at most. */
	if (S_ISDIR(st.st_mode))
		return renameat(dir, from, dir, to);
	if (linkat(dir, from, dir, to, 0))
		return -1;
	return unlinkat(dir, from, 0);
}

int new_file_place(int dir, const char *from, const char *to, struct err *err)
{
	int ret = renameat2(dir, from, dir, to, RENAME_NOREPLACE);

	if (ret && (errno == EINVAL || errno == ENOSYS))
		ret = place_by_link(dir, from, to);
	if (ret) {
		if (errno == ENOTEMPTY)
			errno = EEXIST;
		return err_sys(err, "%s", to);
	}
	return fsync(dir) ? err_sys(err, "fsync of the directory") : 0;
}
