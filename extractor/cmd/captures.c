// SPDX-License-Identifier: GPL-2.0-or-later
#include "captures.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/escape.h"
#include "host/kdump_dir.h"
#include "spool/side_files.h"
#include "common.h"

#define HARVESTS	"/var/lib/epitaph"

static int fail_dir(const char *name, const char *path, struct err *err)
{
	if (err->errnum == EACCES && geteuid())
		err_set(err, ERR_IO, ERR_NO_OFF,
			"%s: permission denied: captures are for root; run this command as root", path);
	return status_fail(name, err);
}

static void tell_others(const char *name, const char *path, u32 nr)
{
	char escaped[1024];

	escape_text(escaped, sizeof(escaped), path, strlen(path));
	fprintf(stderr, "epitaph %s: %s: %u capture%s left out, of another user than this one; run this command as that user\n",
		name, escaped, nr, nr == 1 ? " is" : "s are");
}

static int add_captures(struct captures *all, const char *path, const char *guest,
			const struct saved_captures *found, struct err *err)
{
	struct found_capture *more = reallocarray(all->list, all->nr + found->nr + 1, sizeof(*more));
	size_t i;

	if (!more)
		return err_sys(err, "no memory");
	all->list = more;
	for (i = 0; i < found->nr; i++) {
		struct found_capture *capture = &all->list[all->nr++];

		capture->saved = found->list[i];
		snprintf(capture->guest, sizeof(capture->guest), "%s", guest);
		snprintf(capture->region, sizeof(capture->region), "%.4096s/%s/%s", path,
			 found->list[i].name, SAVED_REGION);
	}
	return 0;
}

/* One of the usual places need not be there. */
static int add_dir(struct captures *all, const char *name, const char *path, const char *guest,
		   bool must_be, const char *target)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC), ret;
	struct saved_captures found = { 0 };
	struct err err = ERR_INIT;

	if (fd < 0 && errno == ENOENT && !must_be)
		return ERR_OK;
	if (fd < 0) {
		err_sys(&err, "%s", path);
		return fail_dir(name, path, &err);
	}
	ret = saved_captures_read(&found, fd, NULL, target, &err);
	if (!ret)
		ret = add_captures(all, path, guest, &found, &err);
	if (found.others)
		tell_others(name, path, found.others);
	saved_captures_free(&found);
	close(fd);
	return ret ? fail_dir(name, path, &err) : ERR_OK;
}

static int by_newness(const void *a, const void *b)
{
	const struct timespec *x = &((const struct found_capture *)a)->saved.order;
	const struct timespec *y = &((const struct found_capture *)b)->saved.order;

	if (x->tv_sec != y->tv_sec)
		return x->tv_sec > y->tv_sec ? -1 : 1;
	if (x->tv_nsec != y->tv_nsec)
		return x->tv_nsec > y->tv_nsec ? -1 : 1;
	return strcmp(((const struct found_capture *)a)->region, ((const struct found_capture *)b)->region);
}

void captures_find(struct captures *all, const char *name, char *const *dirs, const char *target)
{
	char crashes[KDUMP_DIR];

	*all = (struct captures){ 0 };
	if (!*dirs) {
		kdump_dir("", crashes, NULL);
		all->status = add_dir(all, name, HARVESTS, "", false, target);
		all->status = status_worse(all->status, add_dir(all, name, crashes, "", false, target));
	}
	for (; *dirs; dirs++)
		all->status = status_worse(all->status, add_dir(all, name, *dirs, "", true, target));
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_newness);
}

void captures_find_guests(struct captures *all, const char *name, const char *store)
{
	char path[4096], guest[sizeof(all->list->guest)];
	DIR *list = opendir(store);
	struct dirent *entry;

	while (list && (entry = readdir(list))) {
		if (*entry->d_name == '.')
			continue;
		snprintf(path, sizeof(path), "%.2048s/%s", store, entry->d_name);
		snprintf(guest, sizeof(guest), "%.*s", (int)sizeof(guest) - 1, entry->d_name);
		all->status = status_worse(all->status, add_dir(all, name, path, guest, false, NULL));
	}
	if (list)
		closedir(list);
	if (all->nr)
		qsort(all->list, all->nr, sizeof(*all->list), by_newness);
}

void captures_free(struct captures *all)
{
	free(all->list);
}

int capture_cause(struct cause *cause, const struct found_capture *capture)
{
	char *path[] = { (char *)capture->region };
	struct cause *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
				    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct reading reading = {
		.name = "list", .run = cause_files, .arg = shared, .make_dir = -1,
	};
	struct err err = ERR_INIT;
	int status;

	*cause = (struct cause){ .end = CAUSE_UNREADABLE };
	if (shared == MAP_FAILED) {
		err_sys(&err, "no memory");
		return status_fail("list", &err);
	}
	status = reading_run(&reading, (struct file_list){ path, 1 });
	if (status == ERR_OK)
		*cause = *shared;
	munmap(shared, sizeof(*shared));
	/* The process that read may have been taken over. */
	cause->text[sizeof(cause->text) - 1] = 0;
	return status;
}
