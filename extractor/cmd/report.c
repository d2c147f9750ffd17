// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "base/escape.h"
#include "report/report.h"
#include "common.h"
#include "window_options.h"

struct report {
	struct window window;
	u64 generation;
	u32 sources;
	bool monotonic;
	bool json;
	bool several;
};

/* What is known once everything has been looked at. */
static int print_all(struct report *r, struct postmortem *pm, const struct window *window,
		     struct err *err)
{
	int ret = print_end(stdout, pm, r->monotonic, err);

	if (ret)
		return ret;
	if (pm->recording)
		print_others(stdout, pm);
	print_summary(stdout, pm, window);
	ret = print_events(stdout, pm, window, r->monotonic, err);
	if (ret)
		return ret;
	if (pm->recording)
		print_cpus(stdout, pm);
	print_debuginfo_notes(stdout, pm);
	return 0;
}

static int print_one(struct report *r, const char *path, struct postmortem *pm, struct err *err)
{
	struct window window = r->window;
	int ret;

	if (!r->json) {
		print_head(stdout, pm);
		fflush(stdout);
	}
	window_prepare(&window, pm);
	ret = pm_scan(pm, err);
	if (!ret)
		ret = window_choose(&window, pm, err);
	if (ret)
		return ret;
	cmd_note_input(pm);
	ret = r->json ? print_json(stdout, pm, &window, err) :
			print_all(r, pm, &window, err);
	return ret ? ret : cmd_explain_empty_window("report", path, pm, &window, err);
}

static int report_file(struct report *r, const struct dump_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (r->several && !r->json) {
		char name[1024];

		escape_text(name, sizeof(name), path, __builtin_strlen(path));
		printf("# file: %s\n", name);
	}
	if (pm_open(&pm, files, r->sources, r->generation, &err))
		status = cmd_fail("report", &err);
	else if (print_one(r, path, &pm, &err))
		status = cmd_fail_file("report", path, &err);
	else
		status = cmd_account_status(&pm, "report", path);
	pm_close(&pm);
	return status;
}

static int report_files(int argc, char **argv, void *arg)
{
	struct report *r = arg;
	int status = ERR_OK;

	r->several = cmd_several(argc, argv);
	while (optind < argc) {
		struct dump_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, report_file(r, &files));
	}
	return cmd_worse(status, cmd_flush("report"));
}

int cmd_report(int argc, char **argv)
{
	struct report r = { .window = WINDOW_INIT };
	struct cmd_work work = { report_files, &r, -1, true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'm')
			r.monotonic = true;
		else if (opt == 'j')
			r.json = true;
		else if (opt == '?')
			return cmd_usage("report");
		else if (opt == 'g' && !cmd_generation("report", optarg, false, &r.generation))
			return ERR_USAGE;
		else if (!options_take_debug("report", opt, optarg))
			return ERR_USAGE;
		else if (opt == 's' && !cmd_sources("report", optarg, &r.sources))
			return ERR_USAGE;
		else if (options_take(&r.window, "report", opt, optarg) < 0)
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_misuse("report", "no FILE: name a vmcore, a region or a pstore directory");
	return cmd_run(&work, argc, argv);
}
