// SPDX-License-Identifier: GPL-2.0-or-later
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cmd.h"
#include "options.h"
#include "print.h"

struct export {
	struct window window;
	u64 generation;
	const char *to;
	const char *out;
	int fd;
};

/* A new file, and never through a link that somebody put there; "-": standard output. */
static int create(const char *path, struct err *err)
{
	int fd;

	if (!strcmp(path, "-"))
		return STDOUT_FILENO;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	return fd < 0 ? err_sys(err, "%s", path) : fd;
}

static int finish(FILE *f, const char *path, struct err *err)
{
	bool bad = fflush(f) || ferror(f);

	if (f != stdout)
		bad |= fclose(f) != 0;
	return bad ? err_sys(err, "%s: cannot write", path) : 0;
}

static int export_account(struct export *e, struct account *account, struct err *err)
{
	FILE *f;
	int ret = window_choose(&e->window, account, err);

	if (ret)
		return ret;
	f = e->fd == STDOUT_FILENO ? stdout : fdopen(e->fd, "w");
	if (!f)
		return err_sys(err, "%s", e->out);
	ret = print_json(f, account, &e->window, err);
	if (finish(f, e->out, ret ? NULL : err) && !ret)
		ret = -ERR_IO;
	return ret;
}

static int export_file(struct export *e, const struct input_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct account account;
	int status;

	if (account_open(&account, files, e->generation, &err)) {
		status = cmd_fail("export", &err);
	} else if (account_scan(&account, &err)) {
		status = cmd_fail_file("export", path, &err);
	} else {
		cmd_note_input(&account);
		if (export_account(e, &account, &err))
			status = cmd_fail("export", &err);
		else
			status = cmd_status(&account, "export", path);
	}
	account_close(&account);
	return status;
}

/* In the process that reads. */
static int export_files(int argc, char **argv, void *arg)
{
	struct input_files files = cmd_take_files(argc, argv);
	struct export *e = arg;

	if (optind < argc)
		return cmd_misuse("export", "one file at a time: %s can be of one trace only", e->out);
	return export_file(e, &files);
}

/* Nothing is left of what did not succeed. */
static int export(struct export *e, int argc, char **argv)
{
	struct cmd_work work = { export_files, e, -1, false };
	struct err err = ERR_INIT;
	int status;

	e->fd = create(e->out, &err);
	if (e->fd < 0)
		return cmd_fail("export", &err);
	status = cmd_run(&work, argc, argv);
	if (status > ERR_DAMAGED && e->fd != STDOUT_FILENO)
		unlink(e->out);
	return status;
}

static int check_usage(const struct export *e, int argc)
{
	if (!e->to)
		return cmd_misuse("export", "--to NAME is missing");
	if (!e->out)
		return cmd_misuse("export", "-o OUT is missing");
	if (optind == argc)
		return cmd_misuse("export", "no FILE");
	if (strcmp(e->to, "json"))
		return cmd_misuse("export", "--to %s: this version writes json", e->to);
	return 0;
}

int cmd_export(int argc, char **argv)
{
	static const struct option options[] = {
		OPTIONS_WINDOW,
		{ "generation", required_argument, NULL, 'g' },
		{ "to", required_argument, NULL, 't' },
		{ "output", required_argument, NULL, 'o' },
		{ 0 },
	};
	struct export e = { .window = WINDOW_INIT };
	int opt, ret;

	while ((opt = cmd_getopt(argc, argv, "o:", options)) != -1) {
		if (opt == 't')
			e.to = optarg;
		else if (opt == 'o')
			e.out = optarg;
		else if (opt == '?')
			return cmd_usage("export");
		else if (opt == 'g' && !cmd_generation("export", optarg, false, &e.generation))
			return ERR_USAGE;
		else if (options_take(&e.window, "export", opt, optarg) < 0)
			return ERR_USAGE;
	}
	if (e.window.kind == WINDOW_DEFAULT)
		e.window.kind = WINDOW_ALL;
	ret = check_usage(&e, argc);
	return ret ? ret : export(&e, argc, argv);
}
