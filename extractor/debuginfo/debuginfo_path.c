// SPDX-License-Identifier: GPL-2.0-or-later
#include "debuginfo_path.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct debug_places of_program;

/* A library's user may have dumps with places of their own, in several threads. */
static _Thread_local struct debug_places *places = &of_program;

void debug_places_use(struct debug_places *use)
{
	places = use ? use : &of_program;
}

int debug_places_add(const char *path, struct err *err)
{
	if (places->nr == DEBUG_PLACES_MAX)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "more than %u of --debug-dir",
			       DEBUG_PLACES_MAX);
	places->list[places->nr++] = (struct debug_place){ .path = path, .fd = -1 };
	return 0;
}

/* O_NONBLOCK: a pipe without a writer would be waited for. */
static int open_debug_place(struct debug_place *place, struct err *err)
{
	struct stat st;

	place->fd = open(place->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (place->fd < 0)
		return err_set(err, ERR_USAGE, ERR_NO_OFF, "--debug-dir %s: %s", place->path,
			       strerror(errno));
	if (fstat(place->fd, &st) || !(S_ISDIR(st.st_mode) || S_ISREG(st.st_mode)))
		return err_set(err, ERR_USAGE, ERR_NO_OFF,
			       "--debug-dir %s: neither a directory nor a file", place->path);
	place->is_dir = S_ISDIR(st.st_mode);
	return 0;
}

int debug_places_open(struct err *err)
{
	size_t i;
	int ret = 0;

	for (i = 0; i < places->nr && !ret; i++)
		if (places->list[i].fd < 0)
			ret = open_debug_place(&places->list[i], err);
	return ret;
}

size_t debug_places_nr(void)
{
	return places->nr;
}

const struct debug_place *debug_places_at(size_t i)
{
	return &places->list[i];
}

size_t debug_places_dirs(int *dirs, size_t max)
{
	size_t i, n = 0;

	for (i = 0; i < places->nr && n < max; i++)
		if (places->list[i].is_dir)
			dirs[n++] = places->list[i].fd;
	return n;
}

int debug_places_add_copy(const char *path, struct err *err)
{
	char *copy = strdup(path);
	int ret;

	if (!copy)
		return err_sys(err, "memory for a path");
	ret = debug_places_add(copy, err);
	if (ret)
		free(copy);
	return ret;
}

void debug_places_close(struct debug_places *close_all)
{
	size_t i;

	for (i = 0; i < close_all->nr; i++) {
		if (close_all->list[i].fd >= 0)
			close(close_all->list[i].fd);
		free((char *)close_all->list[i].path);
	}
	close_all->nr = 0;
}
