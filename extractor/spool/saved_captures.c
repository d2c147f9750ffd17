// SPDX-License-Identifier: GPL-2.0-or-later
#include "saved_captures.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sent_marker.h"
#include "side_files.h"

#define DAY	86400	/* s */

/* Has it files alone, and a region among them? */
static bool weigh(struct saved_capture *capture, DIR *dir)
{
	bool has_region = false;
	struct dirent *entry;
	struct stat st;

	while ((entry = readdir(dir))) {
		if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
			continue;
		if (fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) ||
		    !S_ISREG(st.st_mode))
			return false;
		capture->size += (u64)st.st_blocks * 512;
		if (!strcmp(entry->d_name, SAVED_REGION)) {
			capture->saved = st.st_mtim;
			has_region = true;
		}
	}
	return has_region;
}

/* In a directory where everybody may make some, it must have been us. */
static bool is_own_capture(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == geteuid();
}

struct timespec saved_capture_order(const char *name, const struct timespec *saved)
{
	struct timespec begun = { spool_name_time(name), 0 };
	time_t tomorrow = time(NULL) + DAY;

	if (!begun.tv_sec)
		return *saved;
	if ((begun.tv_sec > tomorrow) != (saved->tv_sec > tomorrow))
		return begun.tv_sec > tomorrow ? *saved : begun;
	return begun.tv_sec > saved->tv_sec ? begun : *saved;
}

static bool inspect_capture(struct saved_captures *all, struct saved_capture *capture, int store,
			    const char *target, const char *name)
{
	int fd = openat(store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd >= 0 && is_own_capture(fd) ? fdopendir(fd) : NULL;
	bool ours;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		all->others++;
		return false;
	}
	memset(capture, 0, sizeof(*capture));
	capture->store = store;
	snprintf(capture->name, sizeof(capture->name), "%.*s", SPOOL_NAME - 1, name);
	ours = weigh(capture, dir);
	capture->order = saved_capture_order(name, &capture->saved);
	capture->sent = target && ours && sent_marker_has(fd, target);
	closedir(dir);
	return ours;
}

static int add_capture(struct saved_captures *all, const struct saved_capture *capture,
		       struct err *err)
{
	struct saved_capture *more = reallocarray(all->list, all->nr + 1, sizeof(*more));

	if (!more)
		return err_sys(err, "no memory");
	all->list = more;
	all->list[all->nr++] = *capture;
	all->size += capture->size;
	return 0;
}

static bool is_capture_name(const char *name, const char *prefix)
{
	return prefix ? spool_is_name(name, prefix) :
			spool_is_name(name, "") || spool_is_name(name, SPOOL_CAPTURE);
}

static int by_age(const void *a, const void *b)
{
	const struct saved_capture *x = a, *y = b;

	if (x->order.tv_sec != y->order.tv_sec)
		return x->order.tv_sec < y->order.tv_sec ? -1 : 1;
	if (x->order.tv_nsec != y->order.tv_nsec)
		return x->order.tv_nsec < y->order.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

int saved_captures_read(struct saved_captures *all, int store, const char *prefix,
			const char *target, struct err *err)
{
	int fd = openat(store, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct saved_capture capture;
	struct dirent *entry;

	if (!dir)
		return err_sys(err, "cannot list");
	while (!ret && (entry = readdir(dir)))
		if (is_capture_name(entry->d_name, prefix) &&
		    inspect_capture(all, &capture, store, target, entry->d_name))
			ret = add_capture(all, &capture, err);
	closedir(dir);
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_age);
	return ret;
}

void saved_captures_free(struct saved_captures *all)
{
	free(all->list);
}
