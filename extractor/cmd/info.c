// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "report/info.h"
#include "common.h"
#include "window_options.h"

struct info {
	u64 generation;
	u32 sources;
	bool json;
};

static int info_generation(const struct info *info, struct postmortem *pm, const char *path)
{
	struct err err = ERR_INIT;

	if (pm_scan(pm, &err))
		return cmd_fail_file("info", path, &err);
	if (pm->recording)
		formats_check(pm->recording->formats);
	cmd_note_input(pm);
	if (pm->recording)
		(info->json ? info_json : info_text)(pm, path);
	else
		(info->json ? info_kernel_json : info_kernel_text)(pm, path);
	return cmd_account_status(pm, "info", path);
}

static int info_all(const struct info *info, struct postmortem *pm, const char *path)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;
	u32 i;

	for (i = 0; i < pm->generations->nr; i++) {
		if (pm_turn(pm, i, &err))
			return cmd_fail_file("info", path, &err);
		if (i && !info->json)
			putchar('\n');
		status = cmd_worse(status, info_generation(info, pm, path));
	}
	return status;
}

/* What was not asked for may be there. */
static void tell_not_asked(const struct info *info, struct postmortem *pm)
{
	if (info->sources && !(info->sources & POSTMORTEM_REGION))
		strcpy(pm->why_no_region, "it was not asked for (--source region)");
}

static int info_file(const struct info *info, const struct dump_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (pm_open(&pm, files, info->sources, info->generation, &err)) {
		status = cmd_fail("info", &err);
	} else if (info->generation == GENERATION_ALL && pm.generations) {
		status = info_all(info, &pm, path);
	} else {
		tell_not_asked(info, &pm);
		status = info_generation(info, &pm, path);
	}
	pm_close(&pm);
	return status;
}

static int info_files(int argc, char **argv, void *arg)
{
	int status = ERR_OK;

	while (optind < argc) {
		struct dump_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, info_file(arg, &files));
	}
	return cmd_worse(status, cmd_flush("info"));
}

/* Both would be two accounts of the same kernel. */
static int check_sources(const struct info *info)
{
	if ((info->sources & POSTMORTEM_REGION) && (info->sources & POSTMORTEM_KERNEL))
		return cmd_misuse("info", "--source: the recorder's region, or what the kernel has itself (ftrace,log); not both");
	return 0;
}

int cmd_info(int argc, char **argv)
{
	struct info info = { .generation = GENERATION_NEWEST };
	struct cmd_work work = { info_files, &info, -1, true };
	int opt;

	while ((opt = cmd_next_option(argc, argv)) != -1) {
		if (opt == 'j')
			info.json = true;
		else if (opt == '?')
			return cmd_usage("info");
		else if (opt == 'g' && !cmd_generation("info", optarg, true, &info.generation))
			return ERR_USAGE;
		else if (opt == 's' && !cmd_sources("info", optarg, &info.sources))
			return ERR_USAGE;
		else if (!options_take_debug("info", opt, optarg))
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_misuse("info", "no FILE: name a vmcore, a region or a pstore directory");
	return check_sources(&info) ? ERR_USAGE : cmd_run(&work, argc, argv);
}
