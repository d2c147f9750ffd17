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
};

/* A new file, and never through a link that somebody put there; "-": stdout. */
static FILE *create(const char *path, struct err *err)
{
	FILE *f;
	int fd;

	if (!strcmp(path, "-"))
		return stdout;
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0400);
	f = fd < 0 ? NULL : fdopen(fd, "w");
	if (!f)
		err_sys(err, "%s", path);
	return f;
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
	f = create(e->out, err);
	if (!f)
		return -ERR_IO;
	ret = print_json(f, account, &e->window, err);
	if (finish(f, e->out, ret ? NULL : err) && !ret)
		ret = -ERR_IO;
	if (ret && f != stdout)
		unlink(e->out);
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

static int check_usage(const struct export *e, int argc, char **argv)
{
	if (!e->to || !e->out || optind == argc)
		return cmd_usage("export");
	if (strcmp(e->to, "json"))
		return cmd_misuse("export", "--to %s: this version writes json", e->to);
	if (cmd_several(argc, argv))
		return cmd_misuse("export", "one file at a time: %s can be of one trace only", e->out);
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
	struct input_files files;
	int opt, ret;

	while ((opt = getopt_long(argc, argv, "o:", options, NULL)) != -1) {
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
	ret = check_usage(&e, argc, argv);
	if (ret)
		return ret;
	files = cmd_take_files(argc, argv);
	return export_file(&e, &files);
}
