// SPDX-License-Identifier: GPL-2.0-or-later
#include "harvest.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "os/new_file.h"
#include "region/outcome.h"
#include "spool.h"

static int sync_fd(int fd, const char *name, struct err *err)
{
	return fsync(fd) ? err_sys(err, "%s: fsync", name) : 0;
}

static int save_region(const struct harvest *h, const struct sysfs_generation *gen, int to,
		       struct unreadable_pages *bad, struct err *err)
{
	int fd = new_file_create(to, SAVED_REGION, err);
	int ret;

	if (fd < 0)
		return fd;
	ret = new_file_copy(h->device, gen->off, gen->size, fd, bad, err);
	if (!ret)
		ret = sync_fd(fd, SAVED_REGION, err);
	close(fd);
	return ret ? err_while(err, "%s", SAVED_REGION) : 0;
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

/* Is what was saved what the recorder spoke of? */
static int check_region(struct harvested *out, const struct sysfs_generation *gen, int dir,
			struct err *err)
{
	int fd = openat(dir, SAVED_REGION, O_RDONLY | O_CLOEXEC);
	struct generation_set *generations = NULL;
	struct dump *in = NULL;
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

static void make_side_file(struct harvested *out, const struct side_file *text, int dir)
{
	int status = side_file_make(text, dir);

	if (status == ERR_DAMAGED)
		out->damaged = true;
	else if (status != ERR_OK)
		out->lacks = text->name;
}

static int fill(const struct harvest *h, const struct sysfs_generation *gen, int dir,
		const struct side_file *texts, struct harvested *out, struct err *err)
{
	int ret = save_region(h, gen, dir, &out->unreadable, err);

	if (!ret)
		ret = check_region(out, gen, dir, err);
	for (; !ret && *out->words && texts->name; texts++)
		make_side_file(out, texts, dir);
	return ret ? ret : sync_fd(dir, "the new directory", err);
}

int harvest_generation(const struct harvest *h, const struct sysfs_generation *gen,
		       const struct side_file *texts, struct harvested *out,
		       struct err *err)
{
	char temporary[64];
	int dir, ret;

	memset(out, 0, sizeof(*out));
	snprintf(temporary, sizeof(temporary), HARVEST_TEMPORARY "%llu.%ld", gen->number,
		 (long)getpid());
	dir = new_file_open_dir(h->dir, temporary, err);
	if (dir < 0)
		return dir;
	ret = fill(h, gen, dir, texts, out, err);
	if (!ret)
		ret = spool_place(h->dir, temporary, dir, out->name, err);
	close(dir);
	out->was_there = ret == 1;
	if (ret)
		spool_remove(h->dir, temporary);
	return ret < 0 ? ret : 0;
}
