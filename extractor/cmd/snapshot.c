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
 * @request: with the path of the file
 * @name: its last part, in the directory @dir
 * @temporary: its name until it is whole
 */
struct shot {
	struct snapshot_request request;
	const char *name;
	bool json;
	int dir;
	char temporary[48];
};

static int open_recorder(struct shot *s, struct err *err)
{
	s->request.in = open(s->request.device, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	if (s->request.in >= 0)
		return 0;
	return cmd_no_device(err, s->request.device);
}

static int open_dir(struct shot *s, struct err *err)
{
	const char *slash = strrchr(s->request.path, '/');
	char dir[4096];

	snprintf(dir, sizeof(dir), "%.*s", slash ? (int)(slash - s->request.path) + 1 : 1,
		 slash ? s->request.path : ".");
	s->name = slash ? slash + 1 : s->request.path;
	s->dir = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (s->dir < 0)
		return err_sys(err, "%s", dir);
	if (faccessat(s->dir, s->name, F_OK, AT_SYMLINK_NOFOLLOW))
		return 0;
	errno = EEXIST;
	return err_sys(err, "%s", s->request.path);
}

static int make_snapshot(struct shot *s, struct err *err)
{
	s->request.counts = mmap(NULL, sizeof(*s->request.counts), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->request.counts == MAP_FAILED)
		return err_sys(err, "no memory");
	snprintf(s->temporary, sizeof(s->temporary), ".epitaph-snapshot.%ld", (long)getpid());
	remove_on_signal_begin();
	s->request.out = new_file_create(s->dir, s->temporary, err);
	if (s->request.out < 0) {
		remove_on_signal_end();
		return err_while(err, "%s", s->request.path);
	}
	remove_on_signal_is(s->dir, s->temporary, false);
	return 0;
}

static int place_snapshot(struct shot *s, struct err *err)
{
	int ret = 0;

	if (fsync(s->request.out))
		ret = err_sys(err, "%s: fsync", s->request.path);
	if (!ret && new_file_place(s->dir, s->temporary, s->name, err))
		ret = err_while(err, "%s", s->request.path);
	remove_on_signal_end();
	if (ret)
		unlinkat(s->dir, s->temporary, 0);
	return ret;
}

static void put_snapshot_json(const struct shot *s)
{
	const struct snapshot_counts *c = s->request.counts;
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_str(&j, "file", s->request.path);
	if (s->request.channel)
		json_str(&j, "channel", s->request.channel);
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
	const struct snapshot_counts *c = s->request.counts;
	char size[32], time[32];

	text_size(size, sizeof(size), c->size);
	text_seconds(time, sizeof(time), c->moment_ns, false);
	fputs("copied to ", stdout);
	text_put(stdout, s->request.path, strlen(s->request.path));
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
	status = status_flush("snapshot");
	return status_worse(status, tell_losses(s->request.counts));
}

static int to_file(struct shot *s)
{
	struct reading reading = {
		.name = "snapshot", .run = snapshot_device, .arg = &s->request, .make_dir = -1,
	};
	struct err err = ERR_INIT;
	int status;

	if (open_recorder(s, &err) || open_dir(s, &err) || make_snapshot(s, &err))
		return status_fail("snapshot", &err);
	/* Who waits for a CPU meanwhile is lapped: it is some ms of work. */
	setpriority(PRIO_PROCESS, 0, -20);
	status = reading_run(&reading, (struct file_list){ 0 });
	if (status != ERR_OK) {
		remove_on_signal_end();
		unlinkat(s->dir, s->temporary, 0);
		return status;
	}
	return place_snapshot(s, &err) ? status_fail("snapshot", &err) : report_snapshot(s);
}

static int misused(const struct shot *s, int argc, char **argv)
{
	const char *slash = strrchr(s->request.path, '/');

	if (!*(slash ? slash + 1 : s->request.path) || !strcmp(s->request.path, "-"))
		return cmd_misuse("snapshot", "-o: not the name of a file: %s", s->request.path);
	if (argc - optind > 1)
		return cmd_misuse("snapshot", "a copy to a file takes all that there is, and no SIZE: %s",
				  argv[optind + 1]);
	return 0;
}

int cmd_snapshot(int argc, char **argv)
{
	struct shot s = { .request = { .device = DEVICE, .out = -1 }, .dir = -1 };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			s.request.path = optarg;
		else if (opt == 'd')
			s.request.device = optarg;
		else if (opt == 'j')
			s.json = true;
		else
			return cmd_usage("snapshot");
	}
	if (!s.request.path) {
		optind = 0;
		return cmd_control(argc, argv);
	}
	if (misused(&s, argc, argv))
		return ERR_USAGE;
	s.request.channel = optind < argc ? argv[optind] : NULL;
	return to_file(&s);
}
