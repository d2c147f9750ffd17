// SPDX-License-Identifier: GPL-2.0-or-later
#include "retention.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "side_files.h"
#include "sent_marker.h"
#include "spool.h"

/* One that may go: when it was saved, and what it takes. */
struct kept {
	char name[SPOOL_NAME];
	struct timespec saved;
	u64 size;
	bool sent;
};

struct kept_list {
	struct kept *list;
	size_t nr;
	u64 size;
};

/* Has it files alone, and a region among them? */
static bool weigh(struct kept *kept, DIR *dir)
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
		kept->size += (u64)st.st_blocks * 512;
		if (!strcmp(entry->d_name, SAVED_REGION)) {
			kept->saved = st.st_mtim;
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

static bool inspect_capture(struct kept *kept, const struct retention_place *place,
			    const char *name)
{
	int fd = openat(place->store, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	bool ours;

	if (!dir) {
		if (fd >= 0)
			close(fd);
		return false;
	}
	memset(kept, 0, sizeof(*kept));
	snprintf(kept->name, sizeof(kept->name), "%.*s", SPOOL_NAME - 1, name);
	ours = is_own_capture(fd) && weigh(kept, dir);
	kept->sent = place->target && ours && sent_marker_has(fd, place->target);
	closedir(dir);
	return ours;
}

static int add_capture(struct kept_list *all, const struct kept *kept, struct err *err)
{
	struct kept *more = reallocarray(all->list, all->nr + 1, sizeof(*more));

	if (!more)
		return err_sys(err, "no memory");
	all->list = more;
	all->list[all->nr++] = *kept;
	all->size += kept->size;
	return 0;
}

static int list(struct kept_list *all, const struct retention_place *place, struct err *err)
{
	int fd = openat(place->store, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret = 0;
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;
	struct kept kept;

	if (!dir)
		return err_sys(err, "cannot list");
	while (!ret && (entry = readdir(dir)))
		if (spool_is_name(entry->d_name, place->prefix) &&
		    inspect_capture(&kept, place, entry->d_name))
			ret = add_capture(all, &kept, err);
	closedir(dir);
	return ret;
}

static int by_age(const void *a, const void *b)
{
	const struct kept *x = a, *y = b;

	if (x->saved.tv_sec != y->saved.tv_sec)
		return x->saved.tv_sec < y->saved.tv_sec ? -1 : 1;
	if (x->saved.tv_nsec != y->saved.tv_nsec)
		return x->saved.tv_nsec < y->saved.tv_nsec ? -1 : 1;
	return strcmp(x->name, y->name);
}

static bool are_too_many(const struct retention *limit, const struct kept_list *all)
{
	return (limit->count && all->nr > limit->count) || (limit->size && all->size > limit->size);
}

/* The last one in the order of age, but a clock that was set back does not make it so. */
static bool must_stay(const struct kept_list *all, const struct kept *kept,
		      const struct kept *last, const char *newest)
{
	return all->nr == 1 || (newest ? !strcmp(kept->name, newest) : kept == last);
}

static int retire(struct kept_list *all, const struct kept *kept,
		  const struct retention_place *place, struct err *err)
{
	if (spool_retire(place->store, kept->name, place->temporary, err))
		return -ERR_IO;
	all->nr--;
	all->size -= kept->size;
	place->on_removed(place->arg, kept->name, kept->size);
	return 0;
}

static int thin(struct kept_list *all, const struct retention *limit,
		const struct retention_place *place, u32 *ret_unsent, struct err *err)
{
	struct kept *kept, *end = all->list + all->nr;

	for (kept = all->list; kept < end && are_too_many(limit, all); kept++) {
		if (must_stay(all, kept, end - 1, place->newest))
			continue;
		if (place->target && !kept->sent) {
			(*ret_unsent)++;
			continue;
		}
		if (retire(all, kept, place, err))
			return -ERR_IO;
	}
	return 0;
}

static int list_by_age(struct kept_list *all, const struct retention_place *place, struct err *err)
{
	int ret = list(all, place, err);

	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_age);
	return ret;
}

int retention_apply(const struct retention *limit, const struct retention_place *place,
		    u32 *ret_unsent, struct err *err)
{
	struct kept_list all = { 0 };
	int ret = list_by_age(&all, place, err);

	*ret_unsent = 0;
	if (!ret)
		ret = thin(&all, limit, place, ret_unsent, err);
	free(all.list);
	return ret;
}

static u64 free_bytes(int store)
{
	struct statvfs fs;

	return fstatvfs(store, &fs) ? 0 : (u64)fs.f_bavail * fs.f_frsize;
}

/* But for the newest one, which is not in @end. */
static u64 removable_bytes(const struct kept *kept, const struct kept *end,
			   const struct retention_place *place, u32 *ret_unsent)
{
	u64 sum = 0;

	for (; kept < end; kept++) {
		if (place->target && !kept->sent)
			(*ret_unsent)++;
		else
			sum += kept->size;
	}
	return sum;
}

int retention_make_room(const struct retention_place *place, u64 bytes, u32 *ret_unsent,
			struct err *err)
{
	struct kept_list all = { 0 };
	struct kept *kept, *end;
	int ret = list_by_age(&all, place, err);

	*ret_unsent = 0;
	end = all.list + (all.nr ? all.nr - 1 : 0);
	/* In vain none of them goes. */
	if (!ret && free_bytes(place->store) + removable_bytes(all.list, end, place, ret_unsent) >= bytes)
		ret = 1;
	for (kept = all.list; ret == 1 && kept < end && free_bytes(place->store) < bytes; kept++)
		if ((!place->target || kept->sent) && retire(&all, kept, place, err))
			ret = -ERR_IO;
	free(all.list);
	return ret;
}
