// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>
#include <string.h>

#include "export/export.h"
#include "os/new_file_or_dir.h"
#include "report/report.h"
#include "common.h"
#include "window_options.h"

/**
 * struct target - a format that is written
 * @to_file: into one file; NULL: @to_dir
 * @to_dir: into several, in a directory
 * @seeks: not from the first byte to the last, so that a pipe will not do
 */
struct target {
	const char *name;
	int (*to_file)(FILE *f, struct postmortem *pm, const struct window *window,
		       struct err *err);
	int (*to_dir)(int dir, struct postmortem *pm, const struct window *window,
		      struct err *err);
	bool seeks;
};

static const struct target targets[] = {
	{ "json", print_json, NULL, false },
	{ "trace.dat", export_trace_dat, NULL, true },
	{ "ctf", NULL, export_ctf, false },
	{ "perfetto", export_perfetto, NULL, false },
	{ "html", export_html, NULL, false },
};

struct export {
	struct window window;
	u64 generation;
	u32 sources;
	const char *to;
	const struct target *target;
	const char *path;
	struct output out;
};

static const struct target *find_target(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(targets); i++)
		if (!strcmp(targets[i].name, name))
			return &targets[i];
	return NULL;
}

static int create(struct export *e, struct err *err)
{
	return e->target->to_dir ? output_dir(&e->out, e->path, err) :
				   output_file(&e->out, e->path, err);
}

static int export_account(struct export *e, const char *path, struct postmortem *pm,
			  struct err *err)
{
	int ret = window_choose(&e->window, pm, err);

	if (!ret)
		ret = cmd_explain_empty_window("export", path, pm, &e->window, err);
	if (ret)
		return ret;
	if (e->target->to_dir)
		return e->target->to_dir(e->out.dir, pm, &e->window, err);
	ret = e->target->to_file(e->out.file, pm, &e->window, err);
	return ret ? ret : output_flush(&e->out, err);
}

static int scan(const struct export *e, struct postmortem *pm, struct err *err)
{
	window_prepare(&e->window, pm);
	return pm_scan(pm, err);
}

static int export_file(struct export *e, const struct dump_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (pm_open(&pm, files, e->sources, e->generation, &err)) {
		status = cmd_fail("export", &err);
	} else if (scan(e, &pm, &err)) {
		status = cmd_fail_file("export", path, &err);
	} else {
		cmd_note_input(&pm);
		if (export_account(e, path, &pm, &err))
			status = cmd_fail("export", &err);
		else
			status = cmd_account_status(&pm, "export", path);
	}
	pm_close(&pm);
	return status;
}

/* In the process that reads. */
static int export_files(int argc, char **argv, void *arg)
{
	struct dump_files files = cmd_take_files(argc, argv);
	struct export *e = arg;

	if (optind < argc)
		return cmd_misuse("export", "one file at a time: %s can be of one trace only", e->path);
	return export_file(e, &files);
}

/* Nothing is left of what did not succeed. */
static int export(struct export *e, int argc, char **argv)
{
	struct cmd_work work = { .run = export_files, .arg = e };
	struct err err = ERR_INIT;
	int status;

	if (create(e, &err))
		return cmd_fail("export", &err);
	work.make_dir = e->out.dir;
	status = cmd_run(&work, argc, argv);
	if (status > ERR_DAMAGED)
		output_discard(&e->out);
	else if (output_finish(&e->out, &err))
		return cmd_fail("export", &err);
	return status;
}

static int check_target(struct export *e)
{
	char names[200] = "";
	size_t i, n = 0;

	e->target = find_target(e->to);
	for (i = 0; i < ARRAY_SIZE(targets); i++)
		n += snprintf(names + n, sizeof(names) - n, " %s", targets[i].name);
	if (!e->target)
		return cmd_misuse("export", "--to %s: this version writes%s", e->to, names);
	if (strcmp(e->path, "-"))
		return 0;
	if (e->target->to_dir)
		return cmd_misuse("export", "-o -: %s is a directory of files", e->to);
	if (e->target->seeks)
		return cmd_misuse("export", "-o -: %s cannot be written as a stream: what a CPU recorded lies together in it",
				  e->to);
	return 0;
}

static int check_usage(struct export *e, int argc)
{
	if (!e->to)
		return cmd_misuse("export", "--to NAME is missing");
	if (!e->path)
		return cmd_misuse("export", "-o OUT is missing");
	if (optind == argc)
		return cmd_misuse("export", "no FILE: name a vmcore or a region");
	return check_target(e);
}

int cmd_export(int argc, char **argv)
{
	struct export e = { .window = WINDOW_INIT };
	int opt, ret;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 't')
			e.to = optarg;
		else if (opt == 'o')
			e.path = optarg;
		else if (opt == '?')
			return cmd_usage("export");
		else if (opt == 'g' && !cmd_generation("export", optarg, false, &e.generation))
			return ERR_USAGE;
		else if (!options_take_debug("export", opt, optarg))
			return ERR_USAGE;
		else if (opt == 's' && !cmd_sources("export", optarg, &e.sources))
			return ERR_USAGE;
		else if (options_take(&e.window, "export", opt, optarg) < 0)
			return ERR_USAGE;
	}
	if (e.window.kind == WINDOW_DEFAULT)
		e.window.kind = WINDOW_ALL;
	ret = check_usage(&e, argc);
	return ret ? ret : export(&e, argc, argv);
}
