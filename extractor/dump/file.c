// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The file under a container.  Read with pread() and not mapped: a file that
 * shrinks under a mapping kills the reader with SIGBUS.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/descriptor.h"
#include "os/new_file.h"
#include "preopened.h"
#include "dump_impl.h"

int file_open(const char *path, struct err *err)
{
	const struct preopened *ahead = preopened_find(path);
	int fd;

	if (ahead && ahead->fd < 0) {
		if (err)
			*err = ahead->err;
		return -(int)ahead->err.code;
	}
	fd = ahead ? fcntl(ahead->fd, F_DUPFD_CLOEXEC, 3) :
	     !strcmp(path, "-") ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) :
				  descriptor_above_standard(open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
	return fd < 0 ? err_sys(err, "cannot open") : fd;
}

/* What comes next, at @off.  /dev/epitaph goes on behind a page of bad memory. */
static ssize_t read_stream(int fd, u8 *buf, size_t size, u64 off)
{
	size_t bad;
	ssize_t n;
	int errnum;

	do {
		n = read(fd, buf, size);
	} while (n < 0 && errno == EINTR);
	if (n >= 0 || errno != EHWPOISON)
		return n;
	errnum = errno;
	bad = unreadable_page_fill(buf, off, size);
	if (lseek(fd, off + bad, SEEK_SET) == (off_t)(off + bad))
		return bad;
	errno = errnum;
	return -1;
}

static bool write_spool(int fd, const u8 *buf, size_t size)
{
	while (size) {
		ssize_t n = write(fd, buf, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		buf += n;
		size -= n;
	}
	return true;
}

static int open_spool(const char *dir)
{
	char name[4096];
	int fd = descriptor_above_standard(open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));

	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	/* The file system has no O_TMPFILE. */
	if (snprintf(name, sizeof(name), "%s/epitaph-XXXXXX", dir) >= (int)sizeof(name)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = descriptor_above_standard(mkostemp(name, O_CLOEXEC));
	if (fd >= 0)
		unlink(name);
	return fd;
}

/* Copy what cannot seek, as a pipe, or does not hold still, to a file without a name. */
static int spool_stream(int from, u64 *size, struct err *err)
{
	const char *dir = getenv("TMPDIR");
	u8 buf[16384];
	ssize_t n;
	int to;

	dir = dir && *dir ? dir : "/var/tmp";
	/* An initramfs may have nothing but /tmp. */
	if (access(dir, F_OK) && !getenv("TMPDIR"))
		dir = "/tmp";
	to = open_spool(dir);
	if (to < 0)
		return err_sys(err, "cannot copy the input to %s ($TMPDIR, if set)", dir);
	*size = 0;
	while ((n = read_stream(from, buf, sizeof(buf), *size)) > 0) {
		if (!write_spool(to, buf, n)) {
			err_sys(err, "cannot copy the input to %s ($TMPDIR, if set), of which %llu bytes went there",
				dir, *size);
			goto err_copy;
		}
		*size += n;
	}
	if (n < 0) {
		err_sys(err, "cannot read");
		goto err_copy;
	}
	close(from);
	return to;

err_copy:
	close(to);
	return -ERR_IO;
}

static int size_of_kind(int fd, mode_t mode, u64 *size, struct err *err)
{
	if (S_ISDIR(mode))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "is a directory, not a dump");
	if (S_ISCHR(mode))
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "is a character device, which has no data to look at");
	if (S_ISBLK(mode) && ioctl(fd, BLKGETSIZE64, size))
		return err_sys(err, "cannot ask for the size of the device");
	if (!*size)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, S_ISBLK(mode) ?
			       "is a device without a medium" : "is empty");
	return fd;
}

/*
 * A file of /proc or /sys has size 0 and still has bytes. /dev/epitaph, unlike other character
 * devices, can seek to its end; it is read more than once and is recorded into meanwhile.
 */
static bool wants_copy(int fd, const struct stat *st)
{
	u8 byte;

	if (S_ISREG(st->st_mode))
		return !st->st_size && pread(fd, &byte, 1, 0) == 1;
	return S_ISFIFO(st->st_mode) || S_ISSOCK(st->st_mode) ||
	       (S_ISCHR(st->st_mode) && lseek(fd, 0, SEEK_END) > 0 && !lseek(fd, 0, SEEK_SET));
}

int file_seekable(int fd, u64 *size, struct err *err)
{
	struct stat st;
	int ret;

	if (fstat(fd, &st)) {
		ret = err_sys(err, "cannot ask for the size");
		goto out;
	}
	/* Reading such a /proc/vmcore would make its kernel read addresses that are no memory. */
	if (st.st_size < 0) {
		ret = err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			      "its size would be %llu bytes: kexec-tools has described the memory wrongly, as on a kernel without _text in /proc/kallsyms",
			      (unsigned long long)st.st_size);
		goto out;
	}
	*size = S_ISREG(st.st_mode) ? st.st_size : 0;
	if (wants_copy(fd, &st)) {
		ret = spool_stream(fd, size, err);
		if (ret < 0)
			goto out;
		fd = ret;
		st.st_mode = S_IFREG;
	}
	ret = size_of_kind(fd, st.st_mode, size, err);
out:
	if (ret < 0)
		close(fd);
	return ret;
}

static ssize_t end_of_read(struct dump *in, u64 off, ssize_t n, struct err *err)
{
	/* Errors of a bad disk, or of a bad page of memory behind /proc/vmcore. */
	bool is_bad_medium = errno == EIO || errno == EFAULT || errno == EHWPOISON ||
			     errno == ENODATA || errno == EBADMSG || errno == EUCLEAN;

	if (!n)
		dump_note_damage(in, "the file shrank while it was read: it ends before byte %llu of %llu",
				 off + 1,
				 in->file_size);
	else if (!err || is_bad_medium)
		dump_note_damage(in, "byte %llu: %s", off,
				 strerror(errno));
	else
		return err_sys(err, "cannot read at byte %llu", off);
	return 0;
}

/* The bytes of the file itself, which has them as far as its size says. */
static ssize_t read_file_at(struct dump *in, u64 off, void *buf, size_t size, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		ssize_t n = pread(in->fd, (u8 *)buf + done, size - done, off + done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			n = end_of_read(in, off + done, n, err);
			return n < 0 ? n : (ssize_t)done;
		}
		done += n;
	}
	return done;
}

/* The same of a flattened one, piece by piece. */
static ssize_t read_flat(struct dump *in, u64 off, void *buf, size_t size, struct err *err)
{
	size_t done = 0;

	while (done < size) {
		u8 *to = (u8 *)buf + done;
		u64 at, len;
		bool there = flat_find(in->flat, off + done, &at, &len);
		ssize_t n = len = min_u64(len, size - done);

		if (there)
			n = read_file_at(in, at, to, len, err);
		else if (flat_is_whole(in->flat))
			memset(to, 0, len);
		else
			break;
		if (n < 0)
			return n;
		done += n;
		if ((u64)n < len)
			break;
	}
	return done;
}

ssize_t file_read(struct dump *in, u64 off, void *buf, size_t size, struct err *err)
{
	if (off >= in->file_size)
		return 0;
	size = min_u64(size, in->file_size - off);
	return (in->flat ? read_flat : read_file_at)(in, off, buf, size, err);
}

/* What has data from @off on; false: nothing. */
static bool seek_data(struct dump *in, u64 off)
{
	off_t pos = lseek(in->fd, off, SEEK_DATA);

	in->data = off;
	in->hole = pos < 0 && errno == ENXIO ? off : ~0ULL;
	if (pos < 0)
		return in->hole > off;	/* knows no holes, so all is data */
	in->data = pos;
	pos = lseek(in->fd, pos, SEEK_HOLE);
	if (pos > 0)
		in->hole = pos;
	return true;
}

/*
 * [*data, *hole) of the file itself, within [off, end).  Where the file has no holes,
 * the kernel goes through all of it to say so: it is asked once.
 */
static bool next_data_at(struct dump *in, u64 off, u64 end, u64 *data, u64 *hole)
{
	if ((off < in->data || off >= in->hole) && !seek_data(in, off))
		return false;
	*data = off > in->data ? off : in->data;
	*hole = min_u64(in->hole, end);
	return *data < *hole;
}

static bool next_data_flat(struct dump *in, u64 off, u64 *data, u64 *hole)
{
	u64 at, len;

	for (; off < in->file_size; off += len) {
		bool there = flat_find(in->flat, off, &at, &len);

		if (!there || !next_data_at(in, at, at + len, data, hole))
			continue;
		*data = off + (*data - at);
		*hole = off + (*hole - at);
		return true;
	}
	return false;
}

bool file_next_data(struct dump *in, u64 off, u64 *data, u64 *hole)
{
	if (off >= in->file_size)
		return false;
	if (in->flat)
		return next_data_flat(in, off, data, hole);
	return next_data_at(in, off, in->file_size, data, hole);
}
