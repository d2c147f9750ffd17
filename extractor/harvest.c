// SPDX-License-Identifier: GPL-2.0-or-later
#include "harvest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "copy.h"
#include "fate.h"
#include "text.h"

#define TEMPORARY	".harvest-"
#define MAX_SAME_NAME	100

static int sync_fd(int fd, const char *name, struct err *err)
{
	return fsync(fd) ? err_sys(err, "%s: fsync", name) : 0;
}

static int save_region(const struct harvest *h, const struct earlier *gen, int to,
		       struct err *err)
{
	int fd = copy_create(to, HARVEST_REGION, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = copy_bytes(h->device, gen->off, gen->size, fd, err);
	if (!ret)
		ret = sync_fd(fd, HARVEST_REGION, err);
	close(fd);
	return ret ? err_while(err, "%s", HARVEST_REGION) : 0;
}

/* "20261120T234107Z"; what no calendar has, in ns. */
static void put_time(char *buf, size_t size, u64 real_ns)
{
	time_t seconds = real_ns / 1000000000;
	struct tm tm;

	if (!gmtime_r(&seconds, &tm) || tm.tm_year > 8099 ||
	    !strftime(buf, size, "%Y%m%dT%H%M%SZ", &tm))
		snprintf(buf, size, "%llu", real_ns);
}

static void name_it(struct harvested *out, const struct earlier *gen, const u8 *boot_id,
		    u64 start_ns)
{
	static const u8 none[16];
	char when[32], id[40];

	put_time(when, sizeof(when), start_ns);
	if (boot_id && memcmp(boot_id, none, 16)) {
		text_uuid(id, sizeof(id), boot_id);
		snprintf(out->name, sizeof(out->name), "%s-%s", id, when);
	} else {
		snprintf(out->name, sizeof(out->name), "generation-%llu-%s", gen->number, when);
	}
}

static void look_at(struct harvested *out, const struct earlier *gen,
		    struct regions *regions)
{
	const struct region *region = regions_newest(regions);
	struct fate fate;

	fate_read(&fate, region);
	fate_words(out->words, sizeof(out->words), &fate);
	name_it(out, gen, region->hdr.boot_id, region->hdr.start_real_ns);
}

/* Is what was saved what the recorder spoke of? */
static int check_region(struct harvested *out, const struct earlier *gen, int dir,
			struct err *err)
{
	int fd = openat(dir, HARVEST_REGION, O_RDONLY | O_CLOEXEC);
	struct regions *regions = NULL;
	struct input *in = NULL;
	int ret = fd < 0 ? err_sys(err, HARVEST_REGION) : input_open_fd(&in, fd, err);

	if (!ret)
		ret = region_find(&regions, in, err);
	if (!ret && regions_newest(regions)->hdr.number == gen->number)
		look_at(out, gen, regions);
	else if (!ret)
		ret = err_set(err, ERR_NOT_OURS, gen->off,
			      "generation %llu is at byte %llu instead",
			      (u64)regions_newest(regions)->hdr.number, gen->off);
	regions_free(regions);
	input_close(in);
	/* A newer format than this knows: it is saved all the same. */
	if (ret == -ERR_CORRUPT) {
		name_it(out, gen, NULL, gen->start_ns);
		ret = 0;
	}
	return ret;
}

/* What reads the bytes of a dead kernel may die of them; this process does not. */
static int run_text(const struct harvest_text *text, int dir, int fd)
{
	int status;
	pid_t pid;

	fflush(stdout);
	fflush(stderr);
	pid = fork();
	if (pid < 0)
		return ERR_IO;
	if (!pid) {
		if (fchdir(dir) || dup2(fd, STDOUT_FILENO) < 0)
			_exit(ERR_IO);
		status = text->make();
		if (fflush(stdout) || ferror(stdout))
			status = ERR_IO;
		_exit(status);
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return ERR_IO;
	return WIFEXITED(status) ? WEXITSTATUS(status) : ERR_IO;
}

static bool is_empty(int fd)
{
	struct stat st;

	return fstat(fd, &st) || !st.st_size;
}

static void make_text(struct harvested *out, const struct harvest_text *text, int dir)
{
	int fd = copy_create(dir, text->name, NULL);
	int status = fd < 0 ? ERR_IO : run_text(text, dir, fd);

	if (status == ERR_DAMAGED)
		out->damaged = true;
	else if (status != ERR_OK || fsync(fd))
		out->lacks = text->name;
	if (fd >= 0 && (out->lacks == text->name || is_empty(fd)))
		unlinkat(dir, text->name, 0);
	if (fd >= 0)
		close(fd);
}

static int fill(const struct harvest *h, const struct earlier *gen, int dir,
		const struct harvest_text *texts, struct harvested *out, struct err *err)
{
	int ret = save_region(h, gen, dir, err);

	if (!ret)
		ret = check_region(out, gen, dir, err);
	for (; !ret && *out->words && texts->name; texts++)
		make_text(out, texts, dir);
	return ret ? ret : sync_fd(dir, "the new directory", err);
}

/* Is the same generation in the directory @name, and on disk? */
static int is_there(const struct harvest *h, const char *name, int new, struct err *err)
{
	int dir = openat(h->dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int old = openat(dir, HARVEST_REGION, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int ours = openat(new, HARVEST_REGION, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	int same = dir < 0 || old < 0 || ours < 0 ? 0 : copy_same(old, ours, err);

	if (same == 1 && (fsync(old) || fsync(dir) || fsync(h->dir)))
		same = err_sys(err, "%s: fsync", name);
	if (dir >= 0)
		close(dir);
	if (old >= 0)
		close(old);
	if (ours >= 0)
		close(ours);
	return same;
}

/* Under the first name that is free, or that has it already. */
static int place(const struct harvest *h, const char *temporary, int dir,
		 struct harvested *out, struct err *err)
{
	struct err first = ERR_INIT;
	char base[80];
	u32 i;
	int ret;

	strcpy(base, out->name);
	for (i = 0; i < MAX_SAME_NAME; i++) {
		if (i)
			snprintf(out->name, sizeof(out->name), "%s.%u", base, i);
		ret = copy_place(h->dir, temporary, out->name, &first);
		if (!ret)
			return 0;
		if (first.errnum != EEXIST)
			break;
		ret = is_there(h, out->name, dir, err);
		out->was_there = ret == 1;
		if (ret)
			return ret < 0 ? ret : 0;
	}
	*err = first;
	return ret < 0 ? ret : -ERR_IO;
}

static void remove_dir(int at, const char *name, const struct harvest_text *texts)
{
	int dir = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (dir >= 0) {
		unlinkat(dir, HARVEST_REGION, 0);
		for (; texts->name; texts++)
			unlinkat(dir, texts->name, 0);
		close(dir);
	}
	unlinkat(at, name, AT_REMOVEDIR);
}

int harvest_generation(const struct harvest *h, const struct earlier *gen,
		       const struct harvest_text *texts, struct harvested *out,
		       struct err *err)
{
	char temporary[64];
	int dir, ret;

	memset(out, 0, sizeof(*out));
	snprintf(temporary, sizeof(temporary), TEMPORARY "%llu.%ld", gen->number,
		 (long)getpid());
	dir = copy_open_dir(h->dir, temporary, err);
	if (dir < 0)
		return dir;
	ret = fill(h, gen, dir, texts, out, err);
	if (!ret)
		ret = place(h, temporary, dir, out, err);
	close(dir);
	if (ret || out->was_there)
		remove_dir(h->dir, temporary, texts);
	return ret;
}

void harvest_clean(int at, const struct harvest_text *texts)
{
	int fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *entry;

	while (dir && (entry = readdir(dir)))
		if (!strncmp(entry->d_name, TEMPORARY, strlen(TEMPORARY)))
			remove_dir(at, entry->d_name, texts);
	if (dir)
		closedir(dir);
}
