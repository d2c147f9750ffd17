// SPDX-License-Identifier: GPL-2.0-or-later
#include "preopened.h"

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dump_impl.h"
#include "callback.h"

static struct {
	struct preopened *list;
	size_t nr;
} ahead;

static void preopen(struct preopened *a)
{
	struct stat st;
	u64 size;

	if (dump_offered_callback(a->path)) {
		a->fd = err_set(&a->err, ERR_USAGE, ERR_NO_OFF, "is memory, not a file");
		return;
	}
	a->fd = file_open(a->path, &a->err);
	if (a->fd < 0)
		return;
	a->is_dir = !fstat(a->fd, &st) && S_ISDIR(st.st_mode);
	if (!a->is_dir)
		a->fd = file_seekable(a->fd, &size, &a->err);
}

int preopened_open(char *const *paths, size_t nr, struct err *err)
{
	struct rlimit limit;
	size_t i;

	for (i = 0; i < ahead.nr; i++)
		if (ahead.list[i].fd >= 0)
			close(ahead.list[i].fd);
	free(ahead.list);
	ahead.nr = 0;
	ahead.list = calloc(nr ? nr : 1, sizeof(*ahead.list));
	if (!ahead.list)
		return err_sys(err, "no memory");
	/* The command may have more arguments than the soft limit allows open files. */
	if (!getrlimit(RLIMIT_NOFILE, &limit)) {
		limit.rlim_cur = limit.rlim_max;
		setrlimit(RLIMIT_NOFILE, &limit);
	}
	for (i = 0; i < nr; i++) {
		ahead.list[i] = (struct preopened){ .path = paths[i], .err = ERR_INIT };
		preopen(&ahead.list[i]);
	}
	ahead.nr = nr;
	return 0;
}

const struct preopened *preopened_find(const char *path)
{
	size_t i;

	for (i = 0; i < ahead.nr; i++)
		if (!strcmp(ahead.list[i].path, path))
			return &ahead.list[i];
	return NULL;
}

size_t preopened_dirs(int *dirs, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < ahead.nr && n < max; i++)
		if (ahead.list[i].fd >= 0 && ahead.list[i].is_dir)
			dirs[n++] = ahead.list[i].fd;
	return n;
}

u64 preopened_size(void)
{
	struct stat st;
	u64 size = 0;

	for (size_t i = 0; i < ahead.nr; i++) {
		if (ahead.list[i].fd < 0 || fstat(ahead.list[i].fd, &st) || !S_ISREG(st.st_mode))
			return 0;
		size += st.st_size;
	}
	return size;
}
