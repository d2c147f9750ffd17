// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "copy.h"
#include "json.h"
#include "text.h"

#define SAVED	"region"
#define LIVE	"/dev/epitaph"

/* What was saved. */
struct saved {
	u64 size;
	u64 missing;
};

static int save_to(struct saved *saved, int dir, struct input *in,
		   const struct regions *regions, struct err *err)
{
	char temporary[64];
	struct copy copy = { .in = in, .start = regions->start, .size = regions->size,
			     .name = temporary };
	int ret;

	snprintf(temporary, sizeof(temporary), "." SAVED ".%ld", (long)getpid());
	copy.fd = copy_create(dir, temporary, err);
	if (copy.fd < 0)
		return copy.fd;
	ret = copy_all(&copy, err);
	if (!ret && fsync(copy.fd))
		ret = err_sys(err, "%s: fsync", temporary);
	if (!ret)
		ret = copy_place(dir, temporary, SAVED, err);
	if (ret)
		unlinkat(dir, temporary, 0);
	close(copy.fd);
	*saved = (struct saved){ copy.size, copy.missing };
	return ret;
}

static int save_region(struct saved *saved, struct input *in, const char *path,
		       struct err *err)
{
	struct regions *regions;
	int ret = region_find(&regions, in, err);
	int dir;

	if (ret)
		return ret;
	dir = copy_open_dir(AT_FDCWD, path, err);
	ret = dir < 0 ? dir : save_to(saved, dir, in, regions, err);
	if (ret && dir >= 0)
		ret = err_while(err, "%s", path);
	if (dir >= 0)
		close(dir);
	regions_free(regions);
	return ret;
}

static void tell(const struct saved *s, const char *dir, bool json)
{
	struct json j = { .f = stdout };
	char size[32];

	if (!json) {
		text_size(size, sizeof(size), s->size);
		fputs("saved ", stdout);
		text_put(stdout, dir, strlen(dir));
		printf("/%s: %s", SAVED, size);
		if (s->missing)
			printf(", of which %llu bytes are not in the dump", s->missing);
		putchar('\n');
		return;
	}
	json_open(&j, NULL, '{');
	json_str(&j, "dir", dir);
	json_str(&j, "name", SAVED);
	json_u64(&j, "size", s->size);
	json_u64(&j, "missing", s->missing);
	json_close(&j, '}');
	json_end(&j);
}

static int save_status(const struct saved *s, const char *path)
{
	int status = cmd_flush("save");
	char escaped[1024];

	if (!s->missing)
		return status;
	err_escape(escaped, sizeof(escaped), path, strlen(path));
	fprintf(stderr, "epitaph save: %s: %llu of %llu bytes are not in the dump; they are zero in the copy\n",
		escaped, s->missing, s->size);
	return cmd_worse(status, ERR_DAMAGED);
}

static int save_file(const struct input_files *files, const char *dir, bool json)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct saved s = { 0 };
	struct input *in;
	int ret = input_open_files(&in, files, &err);

	if (ret)
		return cmd_fail("save", &err);
	ret = save_region(&s, in, dir, &err);
	input_close(in);
	if (ret) {
		err_while(&err, "%s", path);
		return cmd_fail("save", &err);
	}
	tell(&s, dir, json);
	return save_status(&s, path);
}

int cmd_save(int argc, char **argv)
{
	static const struct option options[] = {
		{ "output", required_argument, NULL, 'o' },
		{ "live", no_argument, NULL, 'l' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	static char *live_path[] = { LIVE };
	struct input_files files;
	const char *dir = NULL;
	bool json = false, live = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (opt == 'o')
			dir = optarg;
		else if (opt == 'j')
			json = true;
		else if (opt == 'l')
			live = true;
		else
			return cmd_usage("save");
	}
	if (!dir || (optind == argc) != live)
		return cmd_usage("save");
	if (cmd_several(argc, argv))
		return cmd_misuse("save", "%s and others: files of one dump at a time", argv[optind]);
	files = live ? (struct input_files){ live_path, 1 } : cmd_take_files(argc, argv);
	return save_file(&files, dir, json);
}
