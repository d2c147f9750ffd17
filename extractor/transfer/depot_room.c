// SPDX-License-Identifier: GPL-2.0-or-later
#include "depot_room.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "base/text.h"
#include "spool/store.h"

#define TEMPORARY	".receiving-"
#define MAX_TRACES	1000	/* of a host */
#define MAX_TRIES	100	/* for a directory that others remove */

/* A share may know no locks; two of one host at the same time are rare there. */
static int lock(int fd, int how)
{
	return flock(fd, how) && errno != EOPNOTSUPP && errno != ENOLCK && errno != ENOSYS;
}

static DIR *open_list(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);

	if (!list && fd >= 0)
		close(fd);
	return list;
}

static bool is_dot(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

static size_t count_entries(int at)
{
	DIR *list = open_list(at, ".");
	struct dirent *entry;
	size_t n = 0;

	while (list && (entry = readdir(list)))
		n += !is_dot(entry->d_name);
	if (list)
		closedir(list);
	return n;
}

static int make_host(const struct depot *depot, const char *host, struct err *err)
{
	if (!faccessat(depot->fd, host, F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	if (depot->max_hosts && count_entries(depot->fd) >= depot->max_hosts)
		return err_set(err, ERR_IO, ERR_NO_OFF, "there are traces of %llu hosts, and no more are taken",
			       depot->max_hosts);
	if (mkdirat(depot->fd, host, 0700) && errno != EEXIST)
		return err_sys(err, "%s", host);
	return fsync(depot->fd) ? err_sys(err, "fsync of the directory") : 0;
}

/* Or has it been removed, and perhaps another made, while we waited for its lock? */
static bool is_still(const struct depot *depot, const char *host, int fd)
{
	struct stat named, ours;

	return !fstatat(depot->fd, host, &named, AT_SYMLINK_NOFOLLOW) && !fstat(fd, &ours) &&
	       named.st_dev == ours.st_dev && named.st_ino == ours.st_ino;
}

/* -1 with ENOENT: another process has removed it. */
static int lock_host(const struct depot *depot, const char *host)
{
	int fd = openat(depot->fd, host, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int failed = 0;

	if (fd < 0)
		return -1;
	if (lock(fd, LOCK_EX))
		failed = errno;
	else if (!is_still(depot, host, fd))
		failed = ENOENT;
	if (!failed)
		return fd;
	close(fd);
	errno = failed;
	return -1;
}

int depot_room_host(const struct depot *depot, const char *host, struct err *err)
{
	int ret, fd, i;

	for (i = 0; i < MAX_TRIES; i++) {
		ret = make_host(depot, host, err);
		if (ret)
			return ret;
		fd = lock_host(depot, host);
		if (fd >= 0)
			return fd;
		if (errno != ENOENT)
			break;
	}
	return err_sys(err, "%s", host);
}

/* Who is to fill it holds the lock until something is in it. */
void depot_room_leave(const struct depot *depot, const char *host, int fd)
{
	if (lock(fd, LOCK_EX))
		return;
	if (is_still(depot, host, fd))
		unlinkat(depot->fd, host, AT_REMOVEDIR);
	depot_room_unlock(fd);
}

void depot_room_unlock(int host)
{
	flock(host, LOCK_UN);
}

/* Of a process that lives, it is locked. */
static bool is_left_over(int host, const char *name)
{
	int fd = openat(host, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	bool left = fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB);

	if (fd >= 0)
		close(fd);
	return left;
}

static u64 bytes_in(int host, const char *name)
{
	DIR *list = open_list(host, name);
	struct dirent *entry;
	struct stat st;
	u64 sum = 0;

	while (list && (entry = readdir(list)))
		if (!is_dot(entry->d_name) &&
		    !fstatat(dirfd(list), entry->d_name, &st, AT_SYMLINK_NOFOLLOW))
			sum += st.st_size;
	if (list)
		closedir(list);
	return sum;
}

/* Bytes and number of the traces of a host; what was left over goes. */
static void look_through(int host, u64 *ret_bytes, size_t *ret_nr)
{
	DIR *list = open_list(host, ".");
	struct dirent *entry;

	*ret_bytes = 0;
	*ret_nr = 0;
	while (list && (entry = readdir(list))) {
		if (is_dot(entry->d_name))
			continue;
		if (!strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)) &&
		    is_left_over(host, entry->d_name)) {
			store_remove(host, entry->d_name);
			continue;
		}
		*ret_bytes += bytes_in(host, entry->d_name);
		(*ret_nr)++;
	}
	if (list)
		closedir(list);
}

static int check_free(const struct depot *depot, u64 size, struct err *err)
{
	struct statvfs fs;
	char text[32];

	if (!depot->keep_free || fstatvfs(depot->fd, &fs))
		return 0;
	if ((u64)fs.f_bavail * fs.f_frsize >= size + depot->keep_free)
		return 0;
	text_size(text, sizeof(text), depot->keep_free);
	return err_set(err, ERR_IO, ERR_NO_OFF, "the collector's disk is full but for the %s that stay free",
		       text);
}

static int check_limits(const struct depot *depot, const struct deposit *d, struct err *err)
{
	u64 size = manifest_bytes(d->m), bytes;
	char text[32], limit[32];
	size_t nr;

	text_size(text, sizeof(text), size);
	text_size(limit, sizeof(limit), depot->max_trace);
	if (depot->max_trace && size > depot->max_trace)
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s: a trace may have %s here", text, limit);
	look_through(d->host, &bytes, &nr);
	text_size(limit, sizeof(limit), depot->max_host);
	if (depot->max_host && bytes + size > depot->max_host)
		return err_set(err, ERR_IO, ERR_NO_OFF, "with %s more, this host would have more than %s here",
			       text, limit);
	if (depot->max_host && nr >= MAX_TRACES)
		return err_set(err, ERR_IO, ERR_NO_OFF, "this host has %zu traces here, and no more are taken",
			       nr);
	return check_free(depot, size, err);
}

/* Where a file system cannot allocate, a full disk shows later. */
static int allocate(int fd, u64 size)
{
	if (!size || !fallocate(fd, 0, 0, size))
		return 0;
	return errno == EOPNOTSUPP || errno == ENOSYS || errno == EINVAL ? ftruncate(fd, size) : -1;
}

static int make_file(int dir, const struct manifest_file *file, struct err *err)
{
	int fd = openat(dir, file->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	int ret = 0;

	if (fd < 0)
		return err_sys(err, "%s", file->name);
	if (allocate(fd, file->size))
		ret = err_sys(err, "%s: no room for %llu bytes", file->name, file->size);
	close(fd);
	return ret;
}

/* One that is there is somebody else's, or leads elsewhere. */
static int make_own(struct deposit *d, struct err *err)
{
	if (mkdirat(d->host, d->temporary, 0700))
		return err_sys(err, "%s", d->temporary);
	d->dir = openat(d->host, d->temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (d->dir < 0)
		return err_sys(err, "%s", d->temporary);
	return lock(d->dir, LOCK_EX | LOCK_NB) ? err_sys(err, "%s: cannot lock", d->temporary) : 0;
}

int depot_room_take(const struct depot *depot, struct deposit *d, struct err *err)
{
	int ret = check_limits(depot, d, err);
	size_t i;

	if (ret)
		return ret;
	snprintf(d->temporary, sizeof(d->temporary), TEMPORARY "%.16s.%ld", d->m->files[0].sum,
		 (long)getpid());
	ret = make_own(d, err);
	for (i = 0; i < d->m->nr && !ret; i++)
		ret = make_file(d->dir, &d->m->files[i], err);
	/* Of many hosts at the same time each has found the same room. */
	return ret ? ret : check_free(depot, 0, err);
}
