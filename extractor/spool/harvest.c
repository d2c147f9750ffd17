// SPDX-License-Identifier: GPL-2.0-or-later
#include "harvest.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "os/compressed_file.h"
#include "region/outcome.h"
#include "generation_digests.h"
#include "spool.h"

static int sync_fd(int fd, const char *name, struct err *err)
{
	return fsync(fd) ? err_sys(err, "%s: fsync", name) : 0;
}


static void inspect_generation(struct harvested *out, const struct sysfs_generation *gen,
			       struct generation_set *generations)
{
	const struct generation *generation = generation_set_newest(generations);
	struct outcome fate;

	outcome_read(&fate, generation);
	outcome_words(out->words, sizeof(out->words), &fate);
	spool_name(out->name, gen->number, generation->hdr.boot_id, generation->hdr.start_real_ns);
}

/* Is what was saved in @region what the recorder spoke of? */
static int check_region(struct harvested *out, const struct sysfs_generation *gen, int region,
			struct err *err)
{
	struct generation_set *generations = NULL;
	struct dump *in = NULL;
	int fd = fcntl(region, F_DUPFD_CLOEXEC, 0);
	int ret = fd < 0 ? err_sys(err, SAVED_REGION) : dump_open_fd(&in, fd, err);

	if (!ret)
		ret = generation_set_find(&generations, in, err);
	if (!ret && generation_set_newest(generations)->hdr.number == gen->number)
		inspect_generation(out, gen, generations);
	else if (!ret)
		ret = err_set(err, ERR_NOT_OURS, gen->off,
			      "generation %llu is at byte %llu instead",
			      (u64)generation_set_newest(generations)->hdr.number, gen->off);
	generation_set_free(generations);
	dump_close(in);
	/* A newer format than this knows: it is saved all the same. */
	if (ret == -ERR_CORRUPT) {
		spool_name(out->name, gen->number, NULL, gen->start_ns);
		ret = 0;
	}
	return ret;
}

int harvest_region(const struct harvest *h, const struct sysfs_generation *gen, int to, u64 most,
		   struct harvested *out, struct err *err)
{
	int ret = compressed_file_copy(h->device, gen->off, gen->size, to, most, &out->unreadable, &out->stored,
				       err);

	if (!ret)
		ret = sync_fd(to, SAVED_REGION, err);
	return ret ? err_while(err, "%s", SAVED_REGION) : check_region(out, gen, to, err);
}

static void make_side_file(struct harvested *out, const struct side_file *text, int dir)
{
	int status = side_file_make(text, dir);

	if (status == ERR_DAMAGED)
		out->damaged = true;
	else if (status != ERR_OK)
		out->lacks = text->name;
}

static int fill(const struct harvest *h, const struct sysfs_generation *gen, int dir, int region,
		const struct side_file *texts, struct harvested *out, struct err *err)
{
	int ret = harvest_region(h, gen, region, 0, out, err);

	for (; !ret && *out->words && texts->name; texts++)
		make_side_file(out, texts, dir);
	return ret ? ret : sync_fd(dir, "the new directory", err);
}

int harvest_generation(const struct harvest *h, const struct sysfs_generation *gen,
		       const struct side_file *texts, struct harvested *out,
		       struct err *err)
{
	char temporary[SPOOL_TEMPORARY];
	int dir, region, ret;

	memset(out, 0, sizeof(*out));
	dir = spool_begin(h->dir, HARVEST_TEMPORARY, temporary, &region, err);
	if (dir < 0)
		return dir;
	ret = fill(h, gen, dir, region, texts, out, err);
	close(region);
	if (!ret)
		ret = spool_place(h->dir, temporary, dir, out->name, err);
	close(dir);
	out->was_there = ret == 1;
	if (ret)
		spool_remove(h->dir, temporary);
	return ret < 0 ? ret : 0;
}

/* In a directory where everybody may make some, it must have been us: who owns it may empty it. */
static bool is_in_capture(const struct harvest *h, const struct sysfs_generation *gen, int dir,
			  const char *name)
{
	int capture = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int region = openat(capture, SAVED_REGION, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat all, st;
	bool found = region >= 0 && !fstat(capture, &all) && all.st_uid == geteuid() && !fstat(region, &st) &&
		     S_ISREG(st.st_mode) && st.st_uid == geteuid() && generation_is_in(region, h->device, gen->off);

	if (region >= 0)
		close(region);
	if (capture >= 0)
		close(capture);
	return found;
}

bool harvest_find_capture(const struct harvest *h, const struct sysfs_generation *gen,
			  const char *dir, char name[SPOOL_NAME])
{
	DIR *captures = opendir(dir);
	struct dirent *entry;
	char start[SPOOL_NAME];
	bool found = false;

	spool_name(start, 0, NULL, gen->start_ns);
	while (captures && !found && (entry = readdir(captures))) {
		/* "-20261120T234107Z", of all that has that form */
		if (!spool_is_name(entry->d_name, SPOOL_CAPTURE) ||
		    !strstr(entry->d_name, strrchr(start, '-')))
			continue;
		snprintf(name, SPOOL_NAME, "%.*s", SPOOL_NAME - 1, entry->d_name);
		found = is_in_capture(h, gen, dirfd(captures), name);
	}
	if (captures)
		closedir(captures);
	return found;
}
