// SPDX-License-Identifier: GPL-2.0-or-later
#include <getopt.h>
#include <stdio.h>

#include "info.h"

struct info {
	u64 generation;
	bool json;
};

static int info_generation(const struct info *info, struct account *account, const char *path)
{
	struct err err = ERR_INIT;

	if (account_scan(account, &err))
		return cmd_fail_file("info", path, &err);
	formats_check(account->trace->formats);
	cmd_note_input(account);
	if (info->json)
		info_json(account, path);
	else
		info_text(account, path);
	return cmd_status(account, "info", path);
}

static int info_all(const struct info *info, struct account *account, const char *path)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;
	u32 i;

	for (i = 0; i < account->regions->nr; i++) {
		if (account_turn(account, i, &err))
			return cmd_fail_file("info", path, &err);
		if (i && !info->json)
			putchar('\n');
		status = cmd_worse(status, info_generation(info, account, path));
	}
	return status;
}

static int info_file(const struct info *info, const struct input_files *files)
{
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct account account;
	int status;

	if (account_open(&account, files, ACCOUNT_REGION, info->generation, &err))
		status = cmd_fail("info", &err);
	else if (info->generation == GENERATION_ALL)
		status = info_all(info, &account, path);
	else
		status = info_generation(info, &account, path);
	account_close(&account);
	return status;
}

static int info_files(int argc, char **argv, void *arg)
{
	int status = ERR_OK;

	while (optind < argc) {
		struct input_files files = cmd_take_files(argc, argv);

		status = cmd_worse(status, info_file(arg, &files));
	}
	return cmd_worse(status, cmd_flush("info"));
}

int cmd_info(int argc, char **argv)
{
	static const struct option options[] = {
		{ "generation", required_argument, NULL, 'g' },
		{ "json", no_argument, NULL, 'j' },
		{ 0 },
	};
	struct info info = { .generation = GENERATION_NEWEST };
	struct cmd_work work = { info_files, &info, -1, true };
	int opt;

	while ((opt = cmd_getopt(argc, argv, "", options)) != -1) {
		if (opt == 'j')
			info.json = true;
		else if (opt != 'g')
			return cmd_usage("info");
		else if (!cmd_generation("info", optarg, true, &info.generation))
			return ERR_USAGE;
	}
	if (optind == argc)
		return cmd_misuse("info", "no FILE");
	return cmd_run(&work, argc, argv);
}
