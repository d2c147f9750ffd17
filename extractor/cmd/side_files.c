// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands that make texts of a saved region, in its directory. */
#include <stdio.h>

#include "report/mce_list.h"
#include "spool/side_files.h"
#include "common.h"

static int put_mce(const struct postmortem *pm)
{
	if (mces_count(pm_mces(pm)))
		print_mces(stdout, pm);
	return ERR_OK;
}

static int put_dmesg(const struct postmortem *pm)
{
	records_print(stdout, &pm->recording->records);
	return ERR_OK;
}

static int put_region(int argc, char **argv, void *arg)
{
	struct dump_files files = cmd_take_files(argc, argv);
	int (*put)(const struct postmortem *pm) = *(int (**)(const struct postmortem *))arg;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (pm_open(&pm, &files, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = cmd_fail(argv[0], &err);
	else
		status = put(&pm);
	pm_close(&pm);
	return cmd_worse(status, cmd_flush(argv[0]));
}

static int with_region(const char *name, int (*put)(const struct postmortem *pm))
{
	char *argv[] = { (char *)name, SAVED_REGION, NULL };
	struct cmd_work work = { put_region, &put, -1, false };

	optind = 1;
	return cmd_run(&work, 2, argv);
}

int side_file_report(void)
{
	char *argv[] = { "report", "--all", SAVED_REGION, NULL };

	optind = 0;
	return cmd_report(3, argv);
}

int side_file_json(void)
{
	char *argv[] = { "export", "--to", "json", "-o", "-", SAVED_REGION, NULL };

	optind = 0;
	return cmd_export(6, argv);
}

int side_file_mce(void)
{
	return with_region("mce", put_mce);
}

int side_file_dmesg(void)
{
	return with_region("dmesg", put_dmesg);
}
