// SPDX-License-Identifier: GPL-2.0-or-later
#include "sealed_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/sha256.h"
#include "os/new_file.h"
#include "age.h"
#include "raw_place.h"

#define PREFIX		"epitaph-"
#define PREFIX_ENDED	"ended-"
#define SUFFIX		".age"
#define TEMPORARY	".epitaph-seal-"

#define DIGITS		16	/* in the name, of the digest */

/* The host's name ends before the digest; those of earlier versions had none. */
static void cut_digest(char *host)
{
	size_t n = strlen(host);

	if (n > DIGITS + 1 && host[n - DIGITS - 1] == '.' && strspn(host + n - DIGITS, "0123456789abcdef") == DIGITS)
		host[n - DIGITS - 1] = 0;
}

/* "BOOT-20261120T234107Z" ends with that, and the host begins behind the next dot. */
bool sealed_file_parse(struct sealed_file *file, const char *name)
{
	bool ended = !strncmp(name, PREFIX_ENDED, strlen(PREFIX_ENDED));
	const char *boot = name + strlen(ended ? PREFIX_ENDED : PREFIX), *dot, *end;
	size_t n = strlen(name);

	if ((!ended && strncmp(name, PREFIX, strlen(PREFIX))) || n >= SEALED_NAME)
		return false;
	dot = strchr(boot, '.');
	end = name + n - strlen(SUFFIX);
	if (!dot || dot >= end || strcmp(end, SUFFIX) || dot == boot || dot - boot >= SEALED_BOOT)
		return false;
	file->ended = ended;
	snprintf(file->name, sizeof(file->name), "%s", name);
	snprintf(file->boot, sizeof(file->boot), "%.*s", (int)(dot - boot), boot);
	snprintf(file->host, sizeof(file->host), "%.*s", (int)(end - dot - 1), dot + 1);
	cut_digest(file->host);
	return true;
}

static bool inspect(struct sealed_file *file, int dir)
{
	int fd = openat(dir, file->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), nr;
	struct err ignored = ERR_INIT;
	struct stat st;
	bool ours = fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode);

	if (ours) {
		nr = age_count_recipients(fd, &ignored);
		file->recipients = nr < 0 ? 0 : nr;
		file->saved = st.st_mtim;
		file->size = st.st_size;
	}
	if (fd >= 0)
		close(fd);
	return ours;
}

static int by_seal_time(const void *a, const void *b)
{
	const struct sealed_file *x = a, *y = b;

	if (x->saved.tv_sec != y->saved.tv_sec)
		return x->saved.tv_sec < y->saved.tv_sec ? -1 : 1;
	if (x->saved.tv_nsec != y->saved.tv_nsec)
		return x->saved.tv_nsec < y->saved.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static int add_sealed_file(struct sealed_files *all, const struct sealed_file *file, struct err *err)
{
	struct sealed_file *more = reallocarray(all->list, all->nr + 1, sizeof(*more));

	if (!more)
		return err_sys(err, "no memory");
	all->list = more;
	all->list[all->nr++] = *file;
	all->size += file->size;
	return 0;
}

static bool is_directory(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && S_ISDIR(st.st_mode);
}

static int read_slots(struct sealed_files *all, int fd, struct err *err)
{
	struct raw_place place;
	struct raw_slot slot;
	int ret = raw_place_attach(&place, fd, err);
	unsigned int i;

	for (i = 0; !ret && i < RAW_SLOTS; i++) {
		ret = raw_place_read(&place, i, &slot, err);
		if (!ret && slot.is_whole)
			ret = add_sealed_file(all, &slot.file, err);
	}
	return ret;
}

static int read_dir(struct sealed_files *all, int dir, struct err *err)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct sealed_file file;
	struct dirent *entry;

	if (!list)
		return err_sys(err, "cannot list");
	while (!ret && (entry = readdir(list)))
		if (sealed_file_parse(&file, entry->d_name) && inspect(&file, dir))
			ret = add_sealed_file(all, &file, err);
	closedir(list);
	return ret;
}

int sealed_place_open(const char *path, bool write, struct err *err)
{
	struct raw_place place;
	int fd, ret;

	if (raw_place_is_one(path)) {
		ret = raw_place_open(&place, path, write, err);
		return ret ? ret : place.fd;
	}
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

int sealed_files_read(struct sealed_files *all, int dir, struct err *err)
{
	int ret;

	*all = (struct sealed_files){ 0 };
	ret = is_directory(dir) ? read_dir(all, dir, err) : read_slots(all, dir, err);
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_seal_time);
	return ret;
}

void sealed_files_free(struct sealed_files *all)
{
	free(all->list);
}

static int empty_slot(int fd, const char *name, struct err *err)
{
	struct raw_place place;
	struct raw_slot slot;
	int ret = raw_place_attach(&place, fd, err);
	unsigned int i;

	for (i = 0; !ret && i < RAW_SLOTS; i++) {
		ret = raw_place_read(&place, i, &slot, err);
		if (!ret && slot.is_whole && !strcmp(slot.file.name, name))
			ret = raw_place_remove(&place, i, err);
	}
	return ret;
}

int sealed_file_remove(int dir, const char *name, struct err *err)
{
	if (!is_directory(dir))
		return empty_slot(dir, name, err);
	return unlinkat(dir, name, 0) || fsync(dir) ? err_sys(err, "%s: cannot be removed", name) : 0;
}

/* What a stop has left; others wait at the lock. */
static void remove_temporary(int dir)
{
	int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *list = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (list && (entry = readdir(list)))
		if (!strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)))
			unlinkat(dir, entry->d_name, 0);
	if (list)
		closedir(list);
}

/* Removes the oldest until @need bytes fit beside the reserve, or none where that is not enough. */
static int make_sealed_room(int dir, u64 need, const struct seal_conf *conf, struct err *err)
{
	struct sealed_files all;
	struct statvfs fs;
	u64 free_bytes, gain = 0;
	size_t i, nr = 0;
	int ret = fstatvfs(dir, &fs) ? err_sys(err, "statfs") : 0;

	if (ret)
		return ret;
	free_bytes = (u64)fs.f_bavail * fs.f_frsize;
	if (need > conf->quota)
		return err_set(err, ERR_IO, ERR_NO_OFF,
			       "the sealed trace needs %llu KiB, and QUOTA is %llu KiB", need >> 10,
			       conf->quota >> 10);
	if (free_bytes >= need + conf->reserve)
		return 0;
	ret = sealed_files_read(&all, dir, err);
	while (!ret && nr < all.nr && free_bytes + gain < need + conf->reserve)
		gain += all.list[nr++].size;
	if (!ret && free_bytes + gain < need + conf->reserve)
		ret = err_set(err, ERR_IO, ERR_NO_OFF,
			      "no room: %llu KiB are free, the sealed trace needs %llu KiB, and RESERVE= keeps %llu KiB for other files",
			      free_bytes >> 10, need >> 10, conf->reserve >> 10);
	for (i = 0; !ret && i < nr; i++)
		ret = sealed_file_remove(dir, all.list[i].name, err);
	sealed_files_free(&all);
	return ret;
}

/* The one that was made last always stays. */
static void keep_quota(int dir, const char *newest, const struct seal_conf *conf)
{
	struct err ignored = ERR_INIT;
	struct sealed_files all;
	size_t i;

	if (!sealed_files_read(&all, dir, &ignored))
		for (i = 0; i < all.nr && all.size > conf->quota; i++)
			if (strcmp(all.list[i].name, newest) &&
			    !sealed_file_remove(dir, all.list[i].name, &ignored))
				all.size -= all.list[i].size;
	sealed_files_free(&all);
}

/* Names of machines have letters, digits, dots and dashes. */
static void put_host(char *buf, size_t size, const char *host)
{
	struct utsname uts;
	size_t i;

	if (!host || !*host)
		host = uname(&uts) ? "" : uts.nodename;
	snprintf(buf, size, "%.64s", *host && *host != '.' ? host : "unknown");
	for (i = 0; buf[i]; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_", buf[i]))
			buf[i] = '_';
}

/* @from: what age made */
static int write_sealed(struct sealed_file *out, int from, u64 size, int dir, struct err *err)
{
	char temporary[64];
	int fd, ret;

	snprintf(temporary, sizeof(temporary), TEMPORARY "%ld", (long)getpid());
	fd = new_file_create(dir, temporary, err);
	if (fd < 0)
		return fd;
	ret = new_file_copy(from, 0, size, fd, err);
	if (!ret && fsync(fd))
		ret = err_sys(err, "fsync");
	close(fd);
	/* What is in its way has been looked at: it is damaged, and no key opens it. */
	if (!ret && unlinkat(dir, out->name, 0) && errno != ENOENT)
		ret = err_sys(err, "%s", out->name);
	if (!ret)
		ret = new_file_place(dir, temporary, out->name, err);
	if (ret)
		unlinkat(dir, temporary, 0);
	return ret;
}

/* Return: 1: @out is there, and on disk; 0: it has to be made. */
static int find_sealed(struct sealed_file *out, int in, int dir, unsigned int keys, struct err *err)
{
	int fd = openat(dir, out->name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), ret = 0;
	struct stat st;

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || !inspect(out, dir) || fstat(in, &st))
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "%s is there, and no file", out->name);
	else if (age_is_whole(fd, st.st_size, keys))
		ret = fsync(fd) || fsync(dir) ? err_sys(err, "%s: fsync", out->name) : 1;
	if (fd >= 0)
		close(fd);
	return ret;
}

/* @ret_made: descriptor of what age made, in memory, and looked at */
static int encrypt_to_memory(int in, const struct recipients *keys, int *ret_made, u64 *ret_size, struct err *err)
{
	int made = memfd_create("sealed", MFD_CLOEXEC), ret;
	struct stat plain, st;

	*ret_made = made;
	if (made < 0 || fstat(in, &plain))
		return err_sys(err, "no memory");
	ret = age_encrypt(in, made, keys, err);
	if (!ret && fstat(made, &st))
		ret = err_sys(err, "memory");
	if (!ret && !age_is_whole(made, plain.st_size, keys->nr))
		ret = err_set(err, ERR_IO, ERR_NO_OFF, "what age wrote is not all of it: %llu bytes", (u64)st.st_size);
	if (!ret)
		*ret_size = st.st_size;
	return ret;
}

/* Older traces go only when this one is sealed. */
static int seal_anew(struct sealed_file *out, int in, int dir, const struct recipients *keys,
		     const struct seal_conf *conf, struct err *err)
{
	int made, ret;
	u64 size;

	ret = encrypt_to_memory(in, keys, &made, &size, err);
	if (!ret)
		ret = make_sealed_room(dir, size, conf, err);
	if (!ret)
		ret = write_sealed(out, made, size, dir, err);
	if (made >= 0)
		close(made);
	return ret;
}

/* Return: 1: @out is in a slot. */
static int find_in_slots(struct sealed_file *out, const struct raw_place *place, struct err *err)
{
	struct raw_slot slot;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < RAW_SLOTS; i++) {
		ret = raw_place_read(place, i, &slot, err);
		if (!ret && slot.is_whole && !strcmp(slot.file.name, out->name)) {
			*out = slot.file;
			return 1;
		}
	}
	return ret;
}

static int put_in_slot(struct sealed_file *out, int in, const char *path, const struct recipients *keys, struct err *err)
{
	struct raw_place place;
	int made = -1, ret = raw_place_open(&place, path, true, err);
	u64 size;

	if (ret)
		return -ERR_IO;
	ret = find_in_slots(out, &place, err);
	if (!ret)
		ret = encrypt_to_memory(in, keys, &made, &size, err);
	if (made >= 0) {
		if (!ret)
			ret = raw_place_put(&place, out, made, size, err);
		if (!ret)
			ret = find_in_slots(out, &place, err) == 1 ? 0 :
			      err_set(err, ERR_IO, ERR_NO_OFF, "what was written cannot be read back");
		close(made);
	}
	raw_place_close(&place);
	return ret;
}

static int put_in_dir(struct sealed_file *out, int in, int dir, const struct recipients *keys,
		      const struct seal_conf *conf, struct err *err)
{
	int ret;

	if (flock(dir, LOCK_EX))
		return err_sys(err, "cannot lock");
	ret = find_sealed(out, in, dir, keys->nr, err);
	if (ret)
		return ret;
	remove_temporary(dir);
	ret = seal_anew(out, in, dir, keys, conf, err);
	if (ret)
		return ret;
	keep_quota(dir, out->name, conf);
	inspect(out, dir);
	return 0;
}

/* Who can write there cannot guess it: what has the name has been sealed, and to these keys. */
static int put_name(struct sealed_file *out, int in, const struct recipients *keys, const char *host, struct err *err)
{
	char digests[2 * DIGEST_TEXT], digest[DIGEST_TEXT];
	u64 ignored;
	int ret = digest_file(digest, in, &ignored, err);

	if (ret)
		return ret;
	snprintf(digests, sizeof(digests), "%s %s", digest, keys->digest);
	digest_text(digest, digests, strlen(digests));
	snprintf(out->host, sizeof(out->host), "%s", host);
	snprintf(out->name, sizeof(out->name), "%s%s.%s.%.*s" SUFFIX, out->ended ? PREFIX_ENDED : PREFIX, out->boot,
		 host, DIGITS, digest);
	return 0;
}

/* Not through a link, and no directory where others could put what they want. */
static int open_place(const char *path, struct err *err)
{
	struct stat st;
	int fd;

	if (mkdirat(AT_FDCWD, path, 0700) && errno != EEXIST)
		return err_sys(err, "%s: cannot be made", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st))
		return err_sys(err, "%s", path);
	if ((!st.st_uid || st.st_uid == geteuid()) && !(st.st_mode & 022))
		return fd;
	close(fd);
	return err_set(err, ERR_IO, ERR_NO_OFF, "%s: it may be changed by others than root; chown root, chmod 700", path);
}

int sealed_file_put(struct sealed_file *out, int in, const char *path, const struct recipients *keys,
		    const struct seal_conf *conf, struct err *err)
{
	char host[80];
	int dir, ret;

	put_host(host, sizeof(host), conf->host);
	ret = put_name(out, in, keys, host, err);
	if (ret)
		return ret;
	if (raw_place_is_one(path)) {
		ret = put_in_slot(out, in, path, keys, err);
		return ret < 0 ? err_while(err, "%s", path) : ret;
	}
	dir = open_place(path, err);
	if (dir < 0)
		return dir;
	ret = put_in_dir(out, in, dir, keys, conf, err);
	close(dir);
	return ret < 0 ? err_while(err, "%s", path) : ret;
}
