// SPDX-License-Identifier: GPL-2.0-or-later
#include "region_copy.h"

#include "dump/copy.h"
#include "kvm/guest_dump.h"
#include "os/compressed_file.h"
#include "reading/files.h"
#include "reading/status.h"
#include "region/generation.h"
#include "region/outcome.h"

static int copy_region(const struct region_copy *c, struct dump *in, struct err *err)
{
	struct dump_copy copy = { .in = in, .fd = c->fd, .name = c->file };
	const struct generation *newest;
	struct generation_set *generations;
	struct outcome fate;
	int ret = generation_set_find(&generations, in, err);

	if (ret)
		return ret;
	copy.start = generations->start;
	copy.size = generations->size;
	copy.to = c->compress ? compressed_file_new(c->fd, c->most) : NULL;
	ret = c->compress && !copy.to ? err_sys(err, "no memory") : dump_copy_all(&copy, err);
	c->done->stored = copy.to ? compressed_file_size(copy.to) : copy.size;
	c->done->errnum = ret ? err->errnum : 0;
	compressed_file_free(copy.to);
	newest = generation_set_newest(generations);
	outcome_read(&fate, newest);
	outcome_words(c->done->words, sizeof(c->done->words), &fate);
	spool_name(c->done->name, newest->hdr.number, newest->hdr.boot_id, newest->hdr.start_real_ns);
	c->done->ended = fate.end == OUTCOME_ENDED;
	c->done->size = copy.size;
	c->done->missing = copy.missing;
	generation_set_free(generations);
	return ret ? err_while(err, "%s", c->place) : 0;
}

static int copy_region_of(const struct dump_files *files, void *arg)
{
	const struct region_copy *c = arg;
	struct err err = ERR_INIT;
	struct dump *in;
	int ret = dump_open_files(&in, files, &err);

	if (ret)
		return status_fail(c->command, &err);
	if (c->guest && guest_dump_open(&in, in, c->guest, &err))
		return status_fail_file(c->command, files->path[0], &err);
	ret = copy_region(c, in, &err);
	dump_close(in);
	return ret ? status_fail_file(c->command, files->path[0], &err) : ERR_OK;
}

int region_copy_files(struct file_list *files, void *copy)
{
	return files_one(files, ((const struct region_copy *)copy)->command, copy_region_of, copy);
}
