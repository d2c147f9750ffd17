// SPDX-License-Identifier: GPL-2.0-or-later
#include "spool.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "os/new_file.h"
#include "saved_captures.h"
#include "side_files.h"

#define MAX_SAME_NAME	100
#define FEW_SAME_NAMES	8	/* as far as they are counted: who counts further is kept waiting */
#define MAX_TRIES	10
#define HOST		64	/* characters of a host's name, with the zero */
#define DIGITS		16	/* behind it */
#define FIRMWARE_ID	"/sys/class/dmi/id/product_uuid"

/* "20261120T234107Z"; what no calendar has, in ns. */
static void put_time(char *buf, size_t size, u64 real_ns)
{
	time_t seconds = real_ns / 1000000000;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || tm.tm_year > 8099 ||
	    !strftime(buf, size, "%Y%m%dT%H%M%SZ", &tm))
		snprintf(buf, size, "%llu", real_ns);
}

void spool_name(char name[SPOOL_NAME], u64 number, const u8 *boot_id, u64 start_ns)
{
	static const u8 none[16];
	char when[32], id[40];

	put_time(when, sizeof(when), start_ns);
	if (boot_id && memcmp(boot_id, none, 16)) {
		text_uuid(id, sizeof(id), boot_id);
		snprintf(name, SPOOL_NAME, "%s-%s", id, when);
	} else {
		snprintf(name, SPOOL_NAME, "generation-%llu-%s", number, when);
	}
}

static const char *skip_digits(const char *text, size_t least)
{
	size_t n = strspn(text, "0123456789");

	return n >= least ? text + n : NULL;
}

/* "0a1b2c3d-0405-0607-0809-0a0b0c0d0e0f-" or "generation-7-"; behind it, or NULL. */
static const char *skip_boot(const char *name)
{
	static const char hex[] = "0123456789abcdef";
	static const char form[] = "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx-";
	size_t i;

	if (!strncmp(name, "generation-", 11)) {
		name = skip_digits(name + 11, 1);
		return name && *name == '-' ? name + 1 : NULL;
	}
	for (i = 0; form[i]; i++)
		if (!name[i] || (form[i] == 'x' ? !strchr(hex, name[i]) : name[i] != form[i]))
			return NULL;
	return name + i;
}

bool spool_is_name(const char *name, const char *prefix)
{
	size_t n = strlen(prefix);

	if (strncmp(name, prefix, n) || strlen(name) >= SPOOL_NAME)
		return false;
	name = skip_boot(name + n);
	if (name)
		name = skip_digits(name, 1);
	/* As in "20261120T234107Z". */
	if (name && *name == 'T') {
		name = skip_digits(name + 1, 6);
		name = name && *name == 'Z' ? name + 1 : NULL;
	}
	if (name && *name == '.')
		name = skip_digits(name + 1, 1);
	return name && !*name;
}

s64 spool_name_time(const char *name)
{
	struct tm tm = { 0 };

	if (!strncmp(name, SPOOL_CAPTURE, strlen(SPOOL_CAPTURE)))
		name += strlen(SPOOL_CAPTURE);
	name = skip_boot(name);
	if (!name || sscanf(name, "%4d%2d%2dT%2d%2d%2dZ", &tm.tm_year, &tm.tm_mon, &tm.tm_mday, &tm.tm_hour,
			    &tm.tm_min, &tm.tm_sec) != 6)
		return 0;
	tm.tm_year -= 1900;
	tm.tm_mon--;
	return timegm(&tm);
}

static u64 random_number(void)
{
	u64 number = 0;
	struct timespec now;

	if (getrandom(&number, sizeof(number), GRND_INSECURE) == sizeof(number) ||
	    getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		return number;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (u64)getpid() << 40 ^ (u64)now.tv_sec << 30 ^ now.tv_nsec;
}

/* Without a name, as in an initramfs, a host is called as its firmware calls it. */
static void put_temporary_host(char host[HOST], bool by_firmware)
{
	int fd = by_firmware ? open(FIRMWARE_ID, O_RDONLY | O_CLOEXEC) : -1;
	size_t i;

	memset(host, 0, HOST);
	if (fd >= 0) {
		if (read(fd, host, HOST - 1) < 0)
			*host = 0;
		close(fd);
	} else if (!by_firmware && gethostname(host, HOST - 1)) {
		*host = 0;
	}
	if (!strcmp(host, "(none)") || !strncmp(host, "localhost", 9))
		*host = 0;
	host[strcspn(host, "\n")] = 0;
	for (i = 0; host[i]; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-", host[i]))
			host[i] = '_';
}

static void put_temporary(char name[SPOOL_TEMPORARY], const char *prefix)
{
	char host[HOST];

	put_temporary_host(host, false);
	if (!*host)
		put_temporary_host(host, true);
	snprintf(name, SPOOL_TEMPORARY, "%s%s.%0*llx", prefix, *host ? host : "none", DIGITS, random_number());
}

static bool is_temporary_of(const char *name, const char *host)
{
	size_t n = strlen(host);

	return n && !strncmp(name, host, n) && name[n] == '.' && strlen(name + n + 1) == DIGITS &&
	       strspn(name + n + 1, "0123456789abcdef") == DIGITS;
}

/* "PID" or "NUMBER.PID", as earlier versions called them. */
static bool is_earlier_temporary(const char *name)
{
	size_t n = strspn(name, "0123456789"), more = name[n] == '.' ? strspn(name + n + 1, "0123456789") : 0;

	return n && !name[n + (more ? more + 1 : 0)];
}

/* Of this host, or one that had its own name and is being removed. */
static bool is_left_over(const char *name, const char *prefix)
{
	char host[HOST], firmware[HOST];
	size_t n = strlen(prefix);

	if (strncmp(name, prefix, n))
		return false;
	put_temporary_host(host, false);
	put_temporary_host(firmware, true);
	name += n;
	return is_temporary_of(name, host) || is_temporary_of(name, firmware) || is_temporary_of(name, "none") ||
	       is_earlier_temporary(name) || spool_is_name(name, "") || spool_is_name(name, SPOOL_CAPTURE);
}

static bool have_same_owner(int a, int b)
{
	struct stat x, y;

	return !fstat(a, &x) && !fstat(b, &y) && x.st_uid == y.st_uid;
}

int spool_begin(int store, const char *prefix, char temporary[SPOOL_TEMPORARY], int *ret_region,
		struct err *err)
{
	int dir, ret = -1, i;

	*ret_region = -1;
	for (i = 0; i < MAX_TRIES && ret; i++) {
		put_temporary(temporary, prefix);
		ret = mkdirat(store, temporary, 0700);
		if (ret && errno != EEXIST)
			break;
	}
	if (ret)
		return err_sys(err, "%s", temporary);
	dir = openat(store, temporary, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	*ret_region = dir < 0 ? err_sys(err, "%s", temporary) : new_file_create(dir, SAVED_REGION, err);
	/* A server may give all that root makes to another user, but then both. */
	if (*ret_region >= 0 && have_same_owner(dir, *ret_region))
		return dir;
	if (*ret_region >= 0) {
		err_set(err, ERR_IO, ERR_NO_OFF, "%s: another user has put a directory in its place", temporary);
		unlinkat(dir, SAVED_REGION, 0);
		close(*ret_region);
	}
	if (dir >= 0)
		close(dir);
	unlinkat(store, temporary, AT_REMOVEDIR);
	*ret_region = -1;
	return -ERR_IO;
}

static int open_region(int dir)
{
	return openat(dir, SAVED_REGION, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
}

static void close_open(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Is the region of @new in the directory @name as well, from the same owner, and on disk? */
static int spool_has(int store, const char *name, int new, struct err *err)
{
	int dir = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int old = open_region(dir);
	int ours = open_region(new);
	int same = dir < 0 || old < 0 || ours < 0 || !have_same_owner(dir, new) || !have_same_owner(old, ours) ?
			   0 : new_file_is_same(old, ours, err);

	if (same == 1 && (fsync(old) || fsync(dir) || fsync(store)))
		same = err_sys(err, "%s: fsync", name);
	close_open(dir);
	close_open(old);
	close_open(ours);
	return same;
}

/* The clock may have been set back, or not be set, as in a capture kernel; who saves knows the order. */
static void make_newest(int store, int dir, const char *name)
{
	struct saved_captures all = { 0 };
	int region = open_region(dir);
	struct timespec last, times[2] = { { 0, UTIME_OMIT } };
	struct stat st;

	if (region >= 0 && !saved_captures_read(&all, store, NULL, NULL, NULL) && all.nr && !fstat(region, &st)) {
		last = all.list[all.nr - 1].order;
		times[1] = saved_capture_order(name, &st.st_mtim);
		if (times[1].tv_sec < last.tv_sec || (times[1].tv_sec == last.tv_sec && times[1].tv_nsec <= last.tv_nsec)) {
			times[1] = (struct timespec){ last.tv_sec + (last.tv_nsec == 999999999), (last.tv_nsec + 1) % 1000000000 };
			if (!futimens(region, times))
				fsync(region);
		}
	}
	saved_captures_free(&all);
	close_open(region);
}

int spool_place(int store, const char *temporary, int dir, char name[SPOOL_NAME],
		struct err *err)
{
	struct err first = ERR_INIT;
	char base[SPOOL_NAME - 12];
	u32 i;
	int ret;

	make_newest(store, dir, name);
	snprintf(base, sizeof(base), "%.*s", (int)sizeof(base) - 1, name);
	for (i = 0; i < MAX_SAME_NAME; i++) {
		if (i)
			snprintf(name, SPOOL_NAME, "%s.%u", base, i < FEW_SAME_NAMES ? i : (u32)random_number());
		if (!new_file_place(store, temporary, name, &first))
			return 0;
		if (first.errnum != EEXIST)
			break;
		ret = spool_has(store, name, dir, err);
		if (ret)
			return ret;
	}
	*err = first;
	return -ERR_IO;
}

static void remove_files(DIR *dir)
{
	struct dirent *entry;

	while ((entry = readdir(dir)))
		if (strcmp(entry->d_name, ".") && strcmp(entry->d_name, ".."))
			unlinkat(dirfd(dir), entry->d_name, 0);
}

static DIR *open_list(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		close_open(fd);
	return dir;
}

void spool_remove(int store, const char *name)
{
	DIR *dir = open_list(store, name);

	if (dir) {
		remove_files(dir);
		closedir(dir);
	}
	unlinkat(store, name, AT_REMOVEDIR);
}

int spool_retire(int store, const char *name, const char *prefix, struct err *err)
{
	char temporary[SPOOL_NAME + 64];

	snprintf(temporary, sizeof(temporary), "%s%s", prefix, name);
	/* On disk before the first file goes: half of a trace never has a name. */
	if (renameat(store, name, store, temporary) || fsync(store))
		return err_sys(err, "%s: cannot be removed", name);
	spool_remove(store, temporary);
	return 0;
}

/* By this user, or by whom a server takes it for. */
static bool is_own_entry(int store, const char *name)
{
	struct stat all, st;

	return !fstat(store, &all) && !fstatat(store, name, &st, AT_SYMLINK_NOFOLLOW) && S_ISDIR(st.st_mode) &&
	       (st.st_uid == geteuid() || st.st_uid == all.st_uid);
}

void spool_clean(int store, const char *prefix)
{
	DIR *dir = open_list(store, ".");
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (is_left_over(entry->d_name, prefix) && is_own_entry(store, entry->d_name))
			spool_remove(store, entry->d_name);
	if (dir)
		closedir(dir);
}
