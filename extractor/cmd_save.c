// SPDX-License-Identifier: GPL-2.0-or-later
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd.h"
#include "json.h"
#include "text.h"

#define SAVED	"region"
#define PIECE	65536

/*
 * struct saver - a copy under way
 * @missing: bytes that the dump has not got; zeroes in the copy
 */
struct saver {
	const struct region *region;
	int dir;
	int fd;
	char temporary[64];
	u64 size;
	u64 missing;
};

static int write_all(struct saver *s, const u8 *buf, size_t n, u64 off, struct err *err)
{
	while (n) {
		ssize_t done = pwrite(s->fd, buf, n, off);

		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return err_sys(err, "%s: cannot write at byte %llu of %llu",
				       s->temporary, off, s->size);
		buf += done;
		off += done;
		n -= done;
	}
	return 0;
}

/* Zeroes that a dump left out are there: only what cannot be read is missing. */
static void step_over(struct saver *s, u64 from, u64 to)
{
	u64 start = region_start(s->region);
	u8 byte;

	if (from < to && (input_read(s->region->in, start + from, &byte, 1, NULL) != 1 ||
			  input_read(s->region->in, start + to - 1, &byte, 1, NULL) != 1))
		s->missing += to - from;
}

/* One piece from @off on; *@ret_next is where to go on. */
static int copy_piece(struct saver *s, u64 off, u64 *ret_next, struct err *err)
{
	u64 start = region_start(s->region);
	u64 left = s->size - off;
	static u8 buf[PIECE];
	ssize_t n;

	n = input_read(s->region->in, start + off, buf, left < PIECE ? left : PIECE, err);
	if (n < 0)
		return n;
	if (!n) {
		n = INPUT_PAGE - (start + off) % INPUT_PAGE;
		n = (u64)n < left ? (u64)n : left;
		s->missing += n;
		*ret_next = off + n;
		return 0;
	}
	*ret_next = off + n;
	return write_all(s, buf, n, off, err);
}

/* Goes from one stretch of data to the next, so that holes cost nothing. */
static int copy(struct saver *s, struct err *err)
{
	u64 start = region_start(s->region);
	u64 off = 0, next, len;
	int ret;

	while (off < s->size) {
		if (!input_next_data(s->region->in, start + off - (start + off) % INPUT_PAGE,
				     &next, &len) || next >= start + s->size)
			break;
		if (next > start + off) {
			step_over(s, off, next - start);
			off = next - start;
		}
		ret = copy_piece(s, off, &off, err);
		if (ret)
			return ret;
	}
	step_over(s, off, s->size);
	return ftruncate(s->fd, s->size) ? err_sys(err, "%s", s->temporary) : 0;
}

/* A name that is not there yet, and not through a link. */
static int create(struct saver *s, struct err *err)
{
	snprintf(s->temporary, sizeof(s->temporary), "." SAVED ".%ld", (long)getpid());
	s->fd = openat(s->dir, s->temporary,
		       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	return s->fd < 0 ? err_sys(err, "%s", s->temporary) : 0;
}

/* Never over what is there. */
static int put_in_place(struct saver *s, struct err *err)
{
	if (fsync(s->fd))
		return err_sys(err, "%s: fsync", s->temporary);
	if (!faccessat(s->dir, SAVED, F_OK, AT_SYMLINK_NOFOLLOW)) {
		errno = EEXIST;
		return err_sys(err, "%s", SAVED);
	}
	if (renameat(s->dir, s->temporary, s->dir, SAVED))
		return err_sys(err, "%s", SAVED);
	return fsync(s->dir) ? err_sys(err, "fsync of the directory") : 0;
}

static int save_to(struct saver *s, struct err *err)
{
	int ret = create(s, err);

	if (ret)
		return ret;
	ret = copy(s, err);
	if (!ret)
		ret = put_in_place(s, err);
	if (ret)
		unlinkat(s->dir, s->temporary, 0);
	close(s->fd);
	return ret;
}

static int open_dir(const char *path, struct err *err)
{
	int fd;

	if (mkdir(path, 0700) && errno != EEXIST)
		return err_sys(err, "%s", path);
	fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

static int save_region(struct saver *s, struct input *in, const char *dir,
		       struct err *err)
{
	struct regions *regions;
	int ret = region_find(&regions, in, err);

	if (ret)
		return ret;
	s->region = regions_newest(regions);
	s->size = s->region->hdr.nr_gens * s->region->hdr.gen_size;
	s->dir = open_dir(dir, err);
	ret = s->dir < 0 ? s->dir : save_to(s, err);
	if (ret && s->dir >= 0)
		ret = err_while(err, "%s", dir);
	if (s->dir >= 0)
		close(s->dir);
	regions_free(regions);
	return ret;
}

static void tell(const struct saver *s, const char *dir, bool json)
{
	struct json j = { .f = stdout };
	char size[32];

	if (!json) {
		text_size(size, sizeof(size), s->size);
		printf("saved %s/%s: %s", dir, SAVED, size);
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

static int save_status(const struct saver *s, const char *path)
{
	int status = cmd_flush("save");

	if (!s->missing)
		return status;
	fprintf(stderr, "epitaph save: %s: %llu of %llu bytes are not in the dump; they are zero in the copy\n",
		path, s->missing, s->size);
	return cmd_worse(status, ERR_DAMAGED);
}

static int save_file(const char *path, const char *dir, bool json)
{
	struct err err = ERR_INIT;
	struct saver s = { .fd = -1 };
	struct input *in;
	int ret = input_open(&in, path, &err);

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
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	const char *dir = NULL;
	bool json = false;
	int opt;

	while ((opt = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
		if (opt == 'o')
			dir = optarg;
		else if (opt == 'j')
			json = true;
		else
			return cmd_usage("save");
	}
	if (!dir || argc - optind != 1)
		return cmd_usage("save");
	return save_file(argv[optind], dir, json);
}
