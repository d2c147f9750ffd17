// SPDX-License-Identifier: GPL-2.0-or-later
/* What the capture kernel runs: docs/capture.md. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "host/device_tree.h"
#include "host/kdump_dir.h"
#include "os/new_file.h"
#include "spool/harvest.h"
#include "spool/region_copy.h"
#include "spool/reserved_memory.h"
#include "spool/side_files.h"
#include "spool/spool.h"
#include "common.h"
#include "retention_options.h"
#include "sealing.h"

#define VMCORE		"/proc/vmcore"
#define DIR		"/var/crash"
#define HARVESTS	"/var/lib/epitaph"

static const struct side_file texts[] = {
	/* The summary has it. */
	{ SAVED_WHY, side_file_why },
	{ "summary.txt", side_file_summary },
	{ "mce.txt", side_file_mce },
};

/**
 * struct capture - one under way
 * @store: descriptor of the directory of all
 * @dir: descriptor of the new one, called @temporary
 * @fd: of the region in it
 * @name: where the trace is at the end
 * @was_there: another hook has saved it
 */
struct capture {
	const char *path;
	int store;
	int dir;
	int fd;
	char temporary[SPOOL_TEMPORARY];
	struct copied_region *found;
	char name[SPOOL_NAME];
	bool was_there;
	struct cmd_keep keep;
};

static struct retention_place captures(const struct capture *c)
{
	return (struct retention_place){ .store = c->store, .prefix = SPOOL_CAPTURE, .temporary = SPOOL_CAPTURE_TEMPORARY };
}

/* Where older traces fill the disk, they make room for this one. */
static bool make_room(const struct capture *c, u64 bytes)
{
	struct retention_place place = captures(c);

	return cmd_keep_make_room(&c->keep, "capture", c->path, false, &place, bytes);
}

/* Hooks run one after the other; what another has begun is not what was left. */
static int open_store(struct capture *c, struct err *err)
{
	c->found = mmap(NULL, sizeof(*c->found), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (c->found == MAP_FAILED)
		return err_sys(err, "no memory");
	c->store = new_file_open_dir(AT_FDCWD, c->path, err);
	if (c->store < 0)
		return c->store;
	if (flock(c->store, LOCK_EX))
		return err_sys(err, "%s: cannot lock", c->path);
	spool_clean(c->store, SPOOL_CAPTURE_TEMPORARY);
	return 0;
}

/* From here on the trace outlives this kernel as well. */
static int make_durable(struct capture *c, struct err *err)
{
	int ret = 0;

	snprintf(c->name, sizeof(c->name), SPOOL_CAPTURE "%.*s",
		 (int)(sizeof(c->name) - sizeof(SPOOL_CAPTURE)),
		 c->found->name);
	if (fsync(c->fd) || fsync(c->dir))
		ret = err_sys(err, "%s: fsync", SAVED_REGION);
	if (!ret)
		ret = spool_place(c->store, c->temporary, c->dir, c->name, err);
	c->was_there = ret == 1;
	return ret < 0 ? err_while(err, "%s", c->path) : 0;
}

static void report_capture(const struct capture *c)
{
	char size[32];

	text_size(size, sizeof(size), c->found->size);
	fputs(c->was_there ? "captured before, in " : "captured ", stdout);
	text_put(stdout, c->path, strlen(c->path));
	printf("/%s: %s, %s\n", c->name, size, c->found->words);
	fflush(stdout);
	if (c->found->missing)
		fprintf(stderr, "epitaph capture: %llu of %llu bytes are not in the dump; they are zero in the copy\n",
			c->found->missing, c->found->size);
}

static int make_texts(int dir)
{
	int status = ERR_OK, ret;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(texts); i++) {
		if (!faccessat(dir, texts[i].name, F_OK, AT_SYMLINK_NOFOLLOW))
			continue;
		ret = side_file_make(&texts[i], dir);
		if (ret > ERR_DAMAGED)
			fprintf(stderr, "epitaph capture: %s could not be written; the region is there, and it can be made of it\n",
				texts[i].name);
		status = status_worse(status, ret);
	}
	return status;
}

/* Texts that lack are made, also where another hook came no further. */
static int finish(const struct capture *c)
{
	int dir = openat(c->store, c->name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int status = dir < 0 ? ERR_IO : ERR_OK;

	if (dir >= 0)
		status = make_texts(dir);
	if (dir >= 0 && fsync(dir))
		status = status_worse(status, ERR_IO);
	if (dir >= 0)
		close(dir);
	return status_worse(status, c->found->missing ? ERR_DAMAGED : ERR_OK);
}

/* Whatever becomes of it, this trace is saved: it has no say in the status. */
static void thin_out_captures(const struct capture *c)
{
	struct retention_place place = captures(c);

	place.newest = c->name;
	cmd_keep_apply(&c->keep, "capture", c->path, false, &place);
}

static int copy_captured(struct capture *c, int argc, char **argv)
{
	struct region_copy copy = {
		.command = "capture", .place = c->path, .file = SAVED_REGION, .fd = c->fd,
		.compress = true,
		.done = c->found,
	};
	struct reading reading = {
		.name = "capture", .run = region_copy_files, .arg = &copy, .make_dir = -1,
	};

	return reading_run(&reading, cmd_files(argc, argv));
}

/* Of this process, or of the one that copies and has printed it. */
static bool lacked_room(const struct capture *c, const struct err *err)
{
	int errnum = err->code ? err->errnum : c->found->errnum;

	return errnum == ENOSPC || errnum == EDQUOT;
}

/* Return: the status; what is in @err is not printed yet. Without a trace that is new, nothing is left. */
static int try_to_capture(struct capture *c, int argc, char **argv, struct err *err)
{
	int status;

	memset(c->found, 0, sizeof(*c->found));
	c->dir = spool_begin(c->store, SPOOL_CAPTURE_TEMPORARY, c->temporary, &c->fd, err);
	if (c->dir < 0) {
		err_while(err, "%s", c->path);
		return ERR_IO;
	}
	status = copy_captured(c, argc, argv);
	if (status == ERR_OK && make_durable(c, err))
		status = ERR_IO;
	close(c->fd);
	close(c->dir);
	if (status != ERR_OK || c->was_there)
		spool_remove(c->store, c->temporary);
	return status;
}

static int capture(struct capture *c, int argc, char **argv)
{
	struct err err = ERR_INIT;
	int status = ERR_IO, ret = open_store(c, &err);
	bool again = !ret;

	while (again) {
		err = (struct err)ERR_INIT;
		status = try_to_capture(c, argc, argv, &err);
		again = status == ERR_IO && lacked_room(c, &err) && make_room(c, c->found->stored);
	}
	if (err.code) {
		cmd_no_store(&err, c->path);
		status = status_fail("capture", &err);
	}
	if (status != ERR_OK) {
		if (c->store >= 0)
			close(c->store);
		return status;
	}
	report_capture(c);
	status = finish(c);
	thin_out_captures(c);
	return status_worse(status, status_flush("capture"));
}

/* Of the region of FILE; with WHEN=always only sealed. */
static int capture_or_seal(struct capture *c, int argc, char **argv)
{
	static struct sealing sealing = { .recipients = RECIPIENTS };
	struct err err = ERR_INIT;
	int ret = sealing_is_policy(&err);

	if (!ret)
		return capture(c, argc, argv);
	if (ret < 0 || sealing_prepare(&sealing, NULL, NULL, &err))
		return status_fail("capture", &err);
	return sealing_region(&sealing, "capture", argc, argv);
}

/*
 * Where /proc/vmcore does not have the region: kexec-tools left it out, or described the memory wrongly.
 * Return: the status; that of /proc/vmcore where the device tree reserves nothing.
 */
static int capture_reserved_memory(struct capture *c, int status_of_vmcore)
{
	char path[32], *file[] = { "capture", path, NULL };
	struct device_tree_memory memory;
	struct err err = ERR_INIT;
	int fd;

	if (!device_tree_memory("", &memory))
		return status_of_vmcore;
	printf("epitaph capture: the region is looked for in what the device tree reserves: %s\n", memory.node);
	fflush(stdout);
	fd = reserved_memory_copy(memory.node, memory.addr, memory.size, &err);
	if (fd < 0)
		return status_fail("capture", &err);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	optind = 1;
	return capture_or_seal(c, 2, file);
}

/* Where this machine keeps its captures, and not one that a person has named. */
static bool is_kdump_dir(const char *path)
{
	char own[KDUMP_DIR];
	struct stat a, b;

	kdump_dir("", own, NULL);
	return !strcmp(path, own) || (!stat(path, &a) && !stat(own, &b) && a.st_dev == b.st_dev && a.st_ino == b.st_ino);
}

int cmd_capture(int argc, char **argv)
{
	struct capture c = { .path = DIR, .store = -1, .dir = -1, .fd = -1, .keep = CMD_KEEP_INIT };
	char *vmcore[] = { "capture", VMCORE, NULL };
	int opt, taken, status;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		taken = cmd_keep_take(&c.keep, "capture", opt, optarg);
		if (taken < 0 || (!taken && opt != 'o' && opt != 'b'))
			return taken < 0 ? ERR_USAGE : cmd_usage("capture");
		if (!taken && opt == 'b')
			c.keep.also = optarg;
		else if (!taken)
			c.path = optarg;
	}
	if (!c.keep.also && is_kdump_dir(c.path))
		c.keep.also = HARVESTS;
	c.keep.also_prefix = "";
	c.keep.also_temporary = HARVEST_TEMPORARY;
	if (optind < argc)
		return capture_or_seal(&c, argc, argv);
	optind = 1;
	status = capture_or_seal(&c, 2, vmcore);
	/* What is saved is saved, and a disk without room has none for another try. */
	if (*c.name || (status != ERR_NOT_OURS && status != ERR_CORRUPT))
		return status;
	return capture_reserved_memory(&c, status);
}
