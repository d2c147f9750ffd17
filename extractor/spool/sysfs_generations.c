// SPDX-License-Identifier: GPL-2.0-or-later
#include "sysfs_generations.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "os/sysfs_file.h"

/* The text of one file, without its newline. */
static int read_file(const char *path, char *buf, size_t size, struct err *err)
{
	int ret = sysfs_file_read(path, buf, size, err);

	if (!ret)
		buf[strcspn(buf, "\n")] = 0;
	return ret;
}

static int read_sysfs_number(const char *dir, const char *name, u64 *ret, struct err *err)
{
	char path[4400], text[64];
	int res;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	res = read_file(path, text, sizeof(text), err);
	if (!res && !sysfs_file_is_number(text, ret))
		res = err_set(err, ERR_CORRUPT, ERR_NO_OFF, "%s: no number: %s", path, text);
	return res;
}

static int read_state(struct sysfs_generation *gen, const char *dir, struct err *err)
{
	char path[4400];
	int ret;

	snprintf(path, sizeof(path), "%s/state", dir);
	ret = read_file(path, gen->state, sizeof(gen->state), err);
	gen->wanted = !ret && (!strcmp(gen->state, "evidence") || !strcmp(gen->state, "ended"));
	return ret;
}

static int read_sysfs_generation(struct sysfs_generation *gen, const char *sysfs, struct err *err)
{
	char dir[4300];
	int ret;

	snprintf(dir, sizeof(dir), "%s/generations/%llu", sysfs, gen->number);
	ret = read_sysfs_number(dir, "offset", &gen->off, err);
	if (!ret)
		ret = read_sysfs_number(dir, "size", &gen->size, err);
	if (!ret)
		ret = read_sysfs_number(dir, "start", &gen->start_ns, err);
	return ret ? ret : read_state(gen, dir, err);
}

static int read_names(struct sysfs_generations *list, DIR *dir, const char *sysfs,
		      struct err *err)
{
	struct dirent *entry;
	int ret = 0;

	while (!ret && (entry = readdir(dir))) {
		struct sysfs_generation *gen = &list->list[list->nr];

		if (!sysfs_file_is_number(entry->d_name, &gen->number))
			continue;
		if (list->nr == SYSFS_GENERATIONS_MAX)
			return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
				       "%s: more than %u generations", sysfs, SYSFS_GENERATIONS_MAX);
		ret = read_sysfs_generation(gen, sysfs, err);
		list->nr++;
	}
	return ret;
}

static int by_number(const void *a, const void *b)
{
	const struct sysfs_generation *x = a, *y = b;

	return x->number < y->number ? -1 : x->number > y->number;
}

/* "2 5": how many, and the last of them. */
static void read_lost(struct sysfs_generations *list, const char *sysfs)
{
	char path[4300], text[64];
	u64 n, last;

	snprintf(path, sizeof(path), "%s/lost", sysfs);
	if (read_file(path, text, sizeof(text), NULL) ||
	    sscanf(text, "%llu %llu", &n, &last) != 2)
		return;
	list->lost = n;
	list->lost_number = last;
}

int sysfs_generations_read(struct sysfs_generations *list, const char *sysfs, struct err *err)
{
	char path[4300];
	DIR *dir;
	int ret;

	memset(list, 0, sizeof(*list));
	snprintf(path, sizeof(path), "%.4096s/generations", sysfs);
	dir = opendir(path);
	if (!dir && errno == ENOENT)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF,
			       "no recorder is loaded: %s is not there", path);
	if (!dir)
		return err_sys(err, "%s", path);
	ret = read_names(list, dir, sysfs, err);
	closedir(dir);
	qsort(list->list, list->nr, sizeof(*list->list), by_number);
	read_lost(list, sysfs);
	return ret;
}

int sysfs_generation_mark(const char *sysfs, const struct sysfs_generation *gen, const char *where,
		 struct err *err)
{
	char path[4400];
	size_t len = strlen(where);
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "%.4096s/generations/%llu/harvested", sysfs, gen->number);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return err_sys(err, "%s", path);
	n = write(fd, where, len);
	if (n != (ssize_t)len)
		err_sys(err, "%s: cannot write", path);
	if (close(fd) && n == (ssize_t)len)
		return err_sys(err, "%s", path);
	return n == (ssize_t)len ? 0 : -ERR_IO;
}
