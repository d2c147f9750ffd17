// SPDX-License-Identifier: GPL-2.0-or-later
/* epitaph snapshot: into the recorder's memory, which the recorder does, or into a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/json.h"
#include "base/text.h"
#include "live/snapshot.h"
#include "os/new_file.h"
#include "os/remove_on_signal.h"
#include "common.h"

#define DEVICE	"/dev/epitaph"

/**
 * struct shot - one copy into a file
 * @channel: that alone; NULL: all
 * @path: of the file; @name: its last part, in the directory @dir
 * @temporary: its name until it is whole
 * @in: of the region
 * @counts: filled in by the process that reads
 */
struct shot {
	const char *channel;
	const char *path;
	const char *device;
	const char *name;
	bool json;
	int dir;
	int fd;
	int in;
	char temporary[48];
	struct snapshot_counts *counts;
};

static int take_snapshot_option(struct shot *s, struct postmortem *pm)
{
	struct err err = ERR_INIT;

	if (!snapshot_take(pm->recording, s->channel, s->fd, s->counts, &err))
		return ERR_OK;
	/* What cannot be written is not the recorder's. */
	if (err.code == ERR_USAGE)
		return cmd_fail("snapshot", &err);
	return cmd_fail_file("snapshot", err.code == ERR_IO ? s->path : s->device, &err);
}

/* In the process that reads. */
static int run_snapshot(int argc, char **argv, void *arg)
{
	struct shot *s = arg;
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct dump *in;
	int status;

	(void)argc;
	(void)argv;
	if (dump_open_live(&in, s->in, &err))
		return cmd_fail_file("snapshot", s->device, &err);
	if (pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = cmd_fail_file("snapshot", s->device, &err);
	else
		status = take_snapshot_option(s, &pm);
	pm_close(&pm);
	return status;
}

static int open_recorder(struct shot *s, struct err *err)
{
	s->in = open(s->device, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (s->in >= 0)
		return 0;
	return cmd_no_device(err, s->device);
}

static int open_dir(struct shot *s, struct err *err)
{
	const char *slash = strrchr(s->path, '/');
	char dir[4096];

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - s->path) + 1 : 1,
		 slash ? s->path : ".");
	s->name = slash ? slash + 1 : s->path;
	s->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir < 0)
		return err_sys(err, "%s", dir);
	if (faccessat(s->dir, s->name, F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	errno = EEXIST;
	return err_sys(err, "%s", s->path);
}

static int make_snapshot(struct shot *s, struct err *err)
{
	s->counts = mmap(NULL, sizeof(*s->counts), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->counts == MAP_FAILED)
		return err_sys(err, "no memory");
	snprintf(s->temporary, sizeof(s->temporary), ".epitaph-snapshot.%ld", (long)getpid());
	remove_on_signal_begin();
	s->fd = new_file_create(s->dir, s->temporary, err);
	if (s->fd < 0) {
		remove_on_signal_end();
		return err_while(err, "%s", s->path);
	}
	remove_on_signal_is(s->dir, s->temporary, false);
	return 0;
}

static int place_snapshot(struct shot *s, struct err *err)
{
	int ret = 0;

	if (fsync(s->fd))
		ret = err_sys(err, "%s: fsync", s->path);
	if (!ret && new_file_place(s->dir, s->temporary, s->name, err))
		ret = err_while(err, "%s", s->path);
	remove_on_signal_end();
	if (ret)
		unlinkat(s->dir, s->temporary, 0);
	return ret;
}

static void put_snapshot_json(const struct shot *s)
{
	const struct snapshot_counts *c = s->counts;
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_str(&j, "file", s->path);
	if (s->channel)
		json_str(&j, "channel", s->channel);
	else
		json_null(&j, "channel");
	json_u64(&j, "size", c->size);
	json_u64(&j, "up_to_ns", c->moment_ns);
	json_u64(&j, "rings", c->rings);
	json_u64(&j, "sub_buffers", c->subs);
	json_u64(&j, "lapped_sub_buffers", c->lapped);
	json_u64(&j, "lost_rings", c->lost_rings);
	json_u64(&j, "cut_sub_buffers", c->cut);
	json_u64(&j, "unsteady_entries", c->unsteady);
	json_u64(&j, "removed_channels", c->gone);
	json_close(&j, '}');
	json_end(&j);
}

static void put_snapshot_text(const struct shot *s)
{
	const struct snapshot_counts *c = s->counts;
	char size[32], time[32];

	text_size(size, sizeof(size), c->size);
	text_seconds(time, sizeof(time), c->moment_ns, false);
	fputs("copied to ", stdout);
	text_put(stdout, s->path, strlen(s->path));
	printf(": %s, %u sub-buffers of %u rings, up to %s", size, c->subs, c->rings, time);
	if (c->lapped)
		printf("; %u sub-buffers were overwritten meanwhile", c->lapped);
	putchar('\n');
}

/* What lacks though a flight recorder would have it. */
static int tell_losses(const struct snapshot_counts *c)
{
	if (!c->lost_rings && !c->cut && !c->unsteady && !c->gone)
		return ERR_OK;
	fputs("epitaph snapshot: ", stderr);
	if (c->lost_rings)
		fprintf(stderr, "%u rings were overwritten before they were read, and are empty; ",
			c->lost_rings);
	if (c->cut)
		fprintf(stderr, "the end of %u sub-buffers was not committed; ", c->cut);
	if (c->unsteady)
		fprintf(stderr, "%u entries of tables never stood still; ", c->unsteady);
	if (c->gone)
		fprintf(stderr, "%u channels were removed meanwhile; ", c->gone);
	fputs("the rest is there\n", stderr);
	return ERR_DAMAGED;
}

static int report_snapshot(const struct shot *s)
{
	int status;

	if (s->json)
		put_snapshot_json(s);
	else
		put_snapshot_text(s);
	status = cmd_flush("snapshot");
	return cmd_worse(status, tell_losses(s->counts));
}

static int to_file(struct shot *s, int argc, char **argv)
{
	struct cmd_work work = { .run = run_snapshot, .arg = s, .make_dir = -1 };
	struct err err = ERR_INIT;
	int status;

	if (open_recorder(s, &err) || open_dir(s, &err) || make_snapshot(s, &err))
		return cmd_fail("snapshot", &err);
	/* Who waits for a CPU meanwhile is lapped: it is some ms of work. */
	setpriority(PRIO_PROCESS, 0, -20);
	optind = argc;
	status = cmd_run(&work, argc, argv);
	if (status != ERR_OK) {
		remove_on_signal_end();
		unlinkat(s->dir, s->temporary, 0);
		return status;
	}
	return place_snapshot(s, &err) ? cmd_fail("snapshot", &err) : report_snapshot(s);
}

static int misused(const struct shot *s, int argc, char **argv)
{
	const char *slash = strrchr(s->path, '/');

	if (!*(slash ? slash + 1 : s->path) || !strcmp(s->path, "-"))
		return cmd_misuse("snapshot", "-o: not the name of a file: %s", s->path);
	if (argc - optind > 1)
		return cmd_misuse("snapshot", "a copy to a file takes all that there is, and no SIZE: %s",
				  argv[optind + 1]);
	return 0;
}

int cmd_snapshot(int argc, char **argv)
{
	struct shot s = { .device = DEVICE, .dir = -1, .fd = -1 };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			s.path = optarg;
		else if (opt == 'd')
			s.device = optarg;
		else if (opt == 'j')
			s.json = true;
		else
			return cmd_usage("snapshot");
	}
	if (!s.path) {
		optind = 0;
		return cmd_control(argc, argv);
	}
	if (misused(&s, argc, argv))
		return ERR_USAGE;
	s.channel = optind < argc ? argv[optind] : NULL;
	return to_file(&s, argc, argv);
}
