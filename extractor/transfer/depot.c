// SPDX-License-Identifier: GPL-2.0-or-later
#include "depot.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump/copy.h"
#include "spool/store.h"
#include "depot_known.h"
#include "depot_room.h"

#define MAX_SAME_NAME	100

int depot_open(struct depot *depot, const char *path, struct err *err)
{
	*depot = (struct depot){ .fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC) };
	return depot->fd < 0 ? err_sys(err, "%s", path) : 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static bool has_sums(int dir, const char *text)
{
	int fd = openat(dir, MANIFEST_SUMS, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	char theirs[MANIFEST_TEXT];
	ssize_t n = fd < 0 ? -1 : read(fd, theirs, sizeof(theirs));

	close_fd(&fd);
	return n >= 0 && (size_t)n == strlen(text) && !memcmp(theirs, text, n);
}

/* 1: the directory @name has the same trace, and is on disk; 0: it has not. */
static int is_same(int host, const char *name, const struct manifest *m, struct err *err)
{
	int dir = openat(host, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	char text[MANIFEST_TEXT];
	int ret = 0;

	manifest_sums(m, text);
	if (dir >= 0 && has_sums(dir, text))
		ret = fsync(dir) || fsync(host) ? err_sys(err, "%s: fsync", name) : 1;
	close_fd(&dir);
	return ret;
}

static void put_name(char name[MANIFEST_PLACE], const struct manifest *m, unsigned int i)
{
	if (i)
		snprintf(name, MANIFEST_PLACE, "%s.%u", m->name, i % MAX_SAME_NAME);
	else
		snprintf(name, MANIFEST_PLACE, "%s", m->name);
}

static int no_name_left(const struct manifest *m, struct err *err)
{
	return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
		       "there are %d traces of this name, and no more are taken: %s", MAX_SAME_NAME, m->name);
}

/* Under any of the names that it can have; *@ret_full: others have all of them. */
static int is_there(struct deposit *d, bool *ret_full, struct err *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < MAX_SAME_NAME && !ret; i++) {
		put_name(d->name, d->m, i);
		if (faccessat(d->host, d->name, F_OK, AT_SYMLINK_NOFOLLOW))
			break;
		ret = is_same(d->host, d->name, d->m, err);
	}
	*ret_full = i == MAX_SAME_NAME;
	return ret == 1 ? DEPOSIT_SAME : ret;
}

static int begin(struct deposit *d, struct err *err)
{
	bool full;
	int ret = is_there(d, &full, err);

	if (!ret)
		ret = depot_known(d->host, d->m, d->name, err);
	if (ret)
		return ret;
	return full ? no_name_left(d->m, err) : depot_room_take(d->depot, d, err);
}

int deposit_begin(struct deposit *d, const struct depot *depot, const struct manifest *m,
		  struct err *err)
{
	int ret;

	*d = (struct deposit){ .depot = depot, .m = m, .host = -1, .dir = -1, .fd = -1 };
	d->host = depot_room_host(depot, m->host, err);
	if (d->host < 0)
		return d->host;
	ret = begin(d, err);
	if (ret > 0)
		close_fd(&d->host);
	if (ret)
		deposit_abort(d);
	else
		depot_room_unlock(d->host);
	return ret;
}

void deposit_tell(const struct deposit *d, enum deposit_there there, struct placed *placed)
{
	placed->was_there = there != DEPOSIT_NEW;
	snprintf(placed->within, sizeof(placed->within), "%s",
		 there == DEPOSIT_WITHIN ? d->name : "");
}

u64 deposit_wants(const struct deposit *d)
{
	u64 sum = 0;
	size_t i;

	for (i = d->file; i < d->m->nr; i++)
		sum += d->m->files[i].size;
	return sum - d->got;
}

static int open_file(struct deposit *d, struct err *err)
{
	const char *name = d->m->files[d->file].name;

	sha256_init(&d->sum);
	d->fd = openat(d->dir, name, O_WRONLY | O_NOFOLLOW | O_CLOEXEC);
	return d->fd < 0 ? err_sys(err, "%s", name) : 0;
}

static int end_file(struct deposit *d, struct err *err)
{
	const struct manifest_file *file = &d->m->files[d->file];
	char sum[DIGEST_TEXT];
	int ret = 0;

	digest_end(sum, &d->sum);
	if (fchmod(d->fd, 0400) || fsync(d->fd))
		ret = err_sys(err, "%s: fsync", file->name);
	else if (strcmp(sum, file->sum))
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "%s: its bytes are not those that were announced",
			      file->name);
	/* Who reads it again reads what is there, and a capture kernel has no memory for it. */
	posix_fadvise(d->fd, 0, 0, POSIX_FADV_DONTNEED);
	close_fd(&d->fd);
	d->file++;
	d->got = 0;
	return ret;
}

/* What of it belongs to the file that is written. */
static ssize_t write_piece(struct deposit *d, const u8 *data, size_t size, struct err *err)
{
	u64 left = d->m->files[d->file].size - d->got;
	ssize_t n = write(d->fd, data, size < left ? size : left);

	if (n < 0)
		return errno == EINTR ? 0 : err_sys(err, "%s", d->m->files[d->file].name);
	sha256_update(&d->sum, n, data);
	d->got += n;
	return n;
}

int deposit_write(struct deposit *d, const void *data, size_t size, struct err *err)
{
	const u8 *p = data;
	ssize_t n;
	int ret = 0;

	while (!ret && d->file < d->m->nr) {
		if (d->fd < 0)
			ret = open_file(d, err);
		if (!ret && d->got == d->m->files[d->file].size) {
			ret = end_file(d, err);
			continue;
		}
		if (ret || !size)
			break;
		n = write_piece(d, p, size, err);
		if (n < 0)
			return n;
		p += n;
		size -= n;
	}
	return ret;
}

static int put_text(int dir, const char *name, const char *text, struct err *err)
{
	int fd = copy_create(dir, name, err), ret = 0;
	ssize_t len = strlen(text);

	if (fd < 0)
		return fd;
	if (write(fd, text, len) != len || fsync(fd))
		ret = err_sys(err, "%s", name);
	close(fd);
	return ret;
}

/* Beside what is there of that name and is another trace. */
static int place(struct deposit *d, struct err *err)
{
	struct err first = ERR_INIT;
	unsigned int i;
	int ret;

	for (i = 0; i < MAX_SAME_NAME; i++) {
		put_name(d->name, d->m, i);
		if (!copy_place(d->host, d->temporary, d->name, &first))
			return 0;
		if (first.errnum != EEXIST) {
			*err = first;
			return -ERR_IO;
		}
		ret = is_same(d->host, d->name, d->m, err);
		if (ret)
			return ret;
	}
	return no_name_left(d->m, err);
}

static int put_texts(struct deposit *d, const char *from, struct err *err)
{
	char text[MANIFEST_TEXT], known[DEPOT_KNOWN_TEXT];
	int ret;

	manifest_sums(d->m, text);
	ret = put_text(d->dir, MANIFEST_SUMS, text, err);
	if (!ret && d->m->nr_generations) {
		depot_known_text(d->m, known);
		ret = put_text(d->dir, DEPOT_KNOWN, known, err);
	}
	if (!ret)
		ret = put_text(d->dir, "received", from, err);
	if (!ret && fsync(d->dir))
		ret = err_sys(err, "fsync of the directory");
	return ret;
}

int deposit_finish(struct deposit *d, const char *from, struct err *err)
{
	int ret = deposit_write(d, "", 0, err);

	if (!ret && deposit_wants(d))
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "%llu bytes have not come", deposit_wants(d));
	if (!ret)
		ret = put_texts(d, from, err);
	if (!ret)
		ret = place(d, err);
	if (!ret) {
		close_fd(&d->dir);
		close_fd(&d->host);
	}
	deposit_abort(d);
	return ret < 0 ? ret : 0;
}

void deposit_abort(struct deposit *d)
{
	close_fd(&d->fd);
	if (d->dir >= 0)
		store_remove(d->host, d->temporary);
	close_fd(&d->dir);
	if (d->host >= 0)
		depot_room_leave(d->depot, d->m->host, d->host);
	close_fd(&d->host);
}
