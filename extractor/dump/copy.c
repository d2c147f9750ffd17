// SPDX-License-Identifier: GPL-2.0-or-later
#include "copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/progress.h"

#define PIECE	65536

static int write_all(struct copy *c, const u8 *buf, size_t n, u64 off, struct err *err)
{
	while (n) {
		ssize_t done = pwrite(c->fd, buf, n, off);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return err_sys(err, "%s: cannot write at byte %llu of %llu",
				       c->name, off, c->size);
		buf += done;
		off += done;
		n -= done;
	}
	return 0;
}

static u64 end_of_input(struct dump *in)
{
	size_t n = dump_nr_segments(in);
	struct dump_segment last;

	if (!n)
		return 0;
	last = dump_segment(in, n - 1);
	return last.paddr + last.size;
}

/* Zeroes that a dump left out are there: only what cannot be read is missing. */
static void step_over(struct copy *c, u64 from, u64 to)
{
	u64 end = end_of_input(c->in);
	u64 next;
	u8 byte;

	for (; from < to; from = next) {
		next = from + DUMP_PAGE - (c->start + from) % DUMP_PAGE;
		if (next > to || c->start + from >= end)
			next = to;
		if (c->start + from >= end ||
		    dump_read(c->in, c->start + from, &byte, 1, NULL) != 1)
			c->missing += next - from;
	}
}

/* One piece from @off on; *@ret_next is where to go on. */
static int copy_piece(struct copy *c, u64 off, u64 *ret_next, struct err *err)
{
	u64 left = c->size - off;
	static u8 buf[PIECE];
	ssize_t n;

	n = dump_read(c->in, c->start + off, buf, left < PIECE ? left : PIECE, err);
	if (n < 0)
		return n;
	if (!n) {
		n = DUMP_PAGE - (c->start + off) % DUMP_PAGE;
		n = (u64)n < left ? (u64)n : left;
		c->missing += n;
		*ret_next = off + n;
		return 0;
	}
	*ret_next = off + n;
	return write_all(c, buf, n, off, err);
}

/* Goes from one stretch of data to the next, so that holes cost nothing. */
int copy_all(struct copy *c, struct err *err)
{
	u64 start = c->start;
	u64 off = 0, next, len;
	int ret;

	while (off < c->size) {
		progress("copying", off, c->size);
		if (!dump_next_data(c->in, start + off - (start + off) % DUMP_PAGE,
				    &next, &len) || next >= start + c->size)
			break;
		if (next > start + off) {
			step_over(c, off, next - start);
			off = next - start;
		}
		ret = copy_piece(c, off, &off, err);
		if (ret)
			return ret;
	}
	step_over(c, off, c->size);
	progress_end();
	return ftruncate(c->fd, c->size) ? err_sys(err, "%s", c->name) : 0;
}

/* Up to @size bytes; less at the end only. */
static ssize_t read_piece(int fd, u8 *buf, size_t size, u64 off)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(fd, buf + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (!n)
			break;
		done += n;
	}
	return done;
}

static bool is_zero(const u8 *buf, size_t size)
{
	return !buf[0] && !memcmp(buf, buf + 1, size - 1);
}

int copy_bytes(int from, u64 off, u64 size, int to, struct err *err)
{
	struct copy c = { .fd = to, .size = size, .name = "the copy" };
	static u8 buf[PIECE];
	u64 at;
	ssize_t n;
	int ret = 0;

	for (at = 0; at < size && !ret; at += n) {
		n = read_piece(from, buf, size - at < PIECE ? size - at : PIECE, off + at);
		if (n < 0)
			return err_sys(err, "cannot read at byte %llu", off + at);
		if (!n)
			return err_set(err, ERR_CORRUPT, off + at,
				       "it ends at byte %llu, %llu are wanted", off + at,
				       off + size);
		if (!is_zero(buf, n))
			ret = write_all(&c, buf, n, at, err);
	}
	if (!ret && ftruncate(to, size))
		ret = err_sys(err, "%llu bytes", size);
	return ret;
}

int copy_same(int a, int b, struct err *err)
{
	static u8 x[PIECE], y[PIECE];
	ssize_t n, m;
	u64 off = 0;

	do {
		n = read_piece(a, x, PIECE, off);
		m = read_piece(b, y, PIECE, off);
		if (n < 0 || m < 0)
			return err_sys(err, "cannot read at byte %llu", off);
		if (n != m || memcmp(x, y, n))
			return 0;
		off += n;
	} while (n);
	return 1;
}

int copy_create(int dir, const char *name, struct err *err)
{
	int fd = openat(dir, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);

	return fd < 0 ? err_sys(err, "%s", name) : fd;
}

/* Where the file system cannot rename so: a link fails as well if the name is there. */
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

int copy_place(int dir, const char *from, const char *to, struct err *err)
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

/* Whoever mistyped a path looks for the part of it that is not there. */
static int cannot_make(int at, const char *path, struct err *err)
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

int copy_open_dir(int at, const char *path, struct err *err)
{
	int fd;

	if (mkdirat(at, path, 0700) && errno != EEXIST)
		return cannot_make(at, path, err);
	fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}
