// SPDX-License-Identifier: GPL-2.0-or-later
#include <stdio.h>

#include "cmd.h"
#include "options.h"
#include "print.h"

struct report {
	struct window window;
	u64 generation;
	bool monotonic;
	bool json;
	bool several;
};

static int print_one(struct report *r, struct opened *o, struct err *err)
{
	struct trace *trace = o->trace;
	struct window window = r->window;
	int ret;

	if (!r->json) {
		print_head(stdout, trace, r->monotonic);
		print_others(stdout, o->regions, trace->region);
		fflush(stdout);
	}
	ret = trace_scan(trace, err);
	if (!ret)
		ret = window_choose(&window, trace, err);
	if (ret)
		return ret;
	opened_note_input(o);
	if (r->json)
		return print_json(stdout, trace, &window, err);
	print_summary(stdout, trace, &window);
	ret = print_events(stdout, trace, &window, r->monotonic, err);
	if (!ret)
		print_cpus(stdout, trace);
	return ret;
}

static int report_file(struct report *r, const struct input_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct opened o;
	int status;

	if (r->several && !r->json) {
		char name[1024];

		err_escape(name, sizeof(name), path, __builtin_strlen(path));
		printf("# file: %s\n", name);
	}
	if (opened_open_files(&o, files, r->generation, &err))
		status = cmd_fail("report", &err);
	else if (print_one(r, &o, &err))
		status = cmd_fail_file("report", path, &err);
	else
		status = opened_status(&o, "report", path);
	opened_close(&o);
	return status;
}

int cmd_report(int argc, char **argv)
{
	static const struct option options[] = {
		OPTIONS_WINDOW,
		{ "generation", required_argument, NULL, 'g' },
		{ "monotonic", no_argument, NULL, 'm' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct report r = { .window = WINDOW_INIT };
	int status = ERR_OK;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'm')
			r.monotonic = true;
		else if (opt == 'j')
			r.json = true;
		else if (opt == '?')
			return cmd_usage("report");
		else if (opt == 'g' && !cmd_generation("report", optarg, false, &r.generation))
			return ERR_USAGE;
		else if (options_take(&r.window, "report", opt, optarg) < 0)
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_usage("report");
	r.several = cmd_several(argc, argv);
	while (optind < argc) {
		struct input_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, report_file(&r, &files));
	}
	return cmd_worse(status, cmd_flush("report"));
}
