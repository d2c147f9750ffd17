// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/json.h"
#include "base/text.h"
#include "os/new_file.h"
#include "os/remove_on_signal.h"
#include "spool/region_copy.h"
#include "common.h"

#define SAVED	"region"
#define LIVE	"/dev/epitaph"

/*
 * One saving.
 * @saved: filled in by the process that reads
 * @made_dir: the directory was not there before
 */
struct save {
	const char *dir;
	const char *guest;
	bool json;
	bool live;
	int dir_fd;
	bool made_dir;
	char temporary[64];
	int fd;
	struct copied_region *saved;
};

static int prepare_save(struct save *s, struct err *err)
{
	snprintf(s->temporary, sizeof(s->temporary), "." SAVED ".%ld", (long)getpid());
	s->saved = mmap(NULL, sizeof(*s->saved), PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (s->saved == MAP_FAILED)
		return err_sys(err, "no memory");
	s->made_dir = access(s->dir, F_OK) != 0;
	s->dir_fd = new_file_open_dir(AT_FDCWD, s->dir, err);
	if (s->dir_fd < 0)
		return s->dir_fd;
	remove_on_signal_begin();
	s->fd = new_file_create(s->dir_fd, s->temporary, err);
	if (s->fd < 0) {
		remove_on_signal_end();
		return err_while(err, "%s", s->dir);
	}
	remove_on_signal_is(s->dir_fd, s->temporary, false);
	return 0;
}

static int place_saved(struct save *s, struct err *err)
{
	int ret = 0;

	if (fsync(s->fd))
		ret = err_sys(err, "%s: fsync", s->temporary);
	if (!ret)
		ret = new_file_place(s->dir_fd, s->temporary, SAVED, err);
	remove_on_signal_end();
	return ret ? err_while(err, "%s", s->dir) : 0;
}

/* Nothing is left of what did not succeed. */
static void clean(const struct save *s)
{
	remove_on_signal_end();
	if (s->dir_fd < 0)
		return;
	unlinkat(s->dir_fd, s->temporary, 0);
	if (s->made_dir)
		rmdir(s->dir);
}

static void report_saved(const struct copied_region *s, const char *dir, bool json)
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

static int save_status(const struct copied_region *s, const char *path)
{
	int status = status_flush("save");
	char escaped[1024];

	if (!s->missing)
		return status;
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	fprintf(stderr, "epitaph save: %s: %llu of %llu bytes are not in the dump; they are zero in the copy\n",
		escaped, s->missing, s->size);
	return status_worse(status, ERR_DAMAGED);
}

static int save(struct save *s, int argc, char **argv)
{
	struct region_copy copy = { .command = "save", .place = s->dir, .file = s->temporary, .guest = s->guest };
	struct reading reading = {
		.name = "save", .run = region_copy_files, .arg = &copy, .make_dir = -1,
	};
	const char *path = argv[optind];
	struct err err = ERR_INIT;
	int status;

	if (prepare_save(s, &err)) {
		clean(s);
		return status_fail("save", &err);
	}
	copy.fd = s->fd;
	copy.done = s->saved;
	status = reading_run(&reading, cmd_files(argc, argv));
	if (status == ERR_OK && place_saved(s, &err))
		status = status_fail("save", &err);
	if (status != ERR_OK) {
		clean(s);
		return status;
	}
	report_saved(s->saved, s->dir, s->json);
	return save_status(s->saved, path);
}

static int save_live(struct save *s)
{
	char *argv[] = { "save", LIVE, NULL };

	optind = 1;
	return save(s, 2, argv);
}

int cmd_save(int argc, char **argv)
{
	struct save s = { .dir_fd = -1, .fd = -1 };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'o')
			s.dir = optarg;
		else if (opt == 'j')
			s.json = true;
		else if (opt == 'l')
			s.live = true;
		else if (opt == 'G')
			s.guest = optarg;
		else
			return cmd_usage("save");
	}
	if (!s.dir)
		return cmd_misuse("save", "-o DIR is missing");
	if (!strcmp(s.dir, "-"))
		return cmd_misuse("save", "-o -: not a directory; ./- is");
	if (s.guest && !*s.guest)
		return cmd_misuse("save", "--guest \"\": a guest's name, UUID or process; epitaph info lists them");
	if (s.live && s.guest)
		return cmd_misuse("save", "--guest is of a FILE, not of the running recorder (--live)");
	if ((optind == argc) != s.live)
		return cmd_misuse("save", s.live ? "--live, or a FILE" : "no FILE, nor --live");
	return s.live ? save_live(&s) : save(&s, argc, argv);
}
