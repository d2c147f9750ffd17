// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>

#include "info.h"

struct info {
	u64 generation;
	bool json;
};

static int info_generation(const struct info *info, struct opened *o, const char *path)
{
	struct err err = ERR_INIT;

	if (trace_scan(o->trace, &err))
		return cmd_fail_file("info", path, &err);
	formats_check(o->trace->formats);
	opened_note_input(o);
	if (info->json)
		info_json(o, path);
	else
		info_text(o, path);
	return opened_status(o, "info", path);
}

static int info_all(const struct info *info, struct opened *o, const char *path)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;
	u32 i;

	for (i = 0; i < o->regions->nr; i++) {
		if (opened_turn(o, i, &err))
			return cmd_fail_file("info", path, &err);
		if (i && !info->json)
			putchar('\n');
		status = cmd_worse(status, info_generation(info, o, path));
	}
	return status;
}

static int info_file(const struct info *info, const struct input_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct opened o;
	int status;

	if (opened_open_files(&o, files, info->generation, &err))
		status = cmd_fail("info", &err);
	else if (info->generation == GENERATION_ALL)
		status = info_all(info, &o, path);
	else
		status = info_generation(info, &o, path);
	opened_close(&o);
	return status;
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "generation", required_argument, NULL, 'g' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct info info = { .generation = GENERATION_NEWEST };
	int status = ERR_OK;
	int opt;

	while ((opt = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (opt == 'j')
			info.json = true;
		else if (opt != 'g')
			return cmd_usage("info");
		else if (!cmd_generation("info", optarg, true, &info.generation))
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_usage("info");
	while (optind < argc) {
		struct input_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, info_file(&info, &files));
	}
	return cmd_worse(status, cmd_flush("info"));
}
