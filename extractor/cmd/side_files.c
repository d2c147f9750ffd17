// SPDX-License-Identifier: GPL-2.0-or-later
/* The commands that make texts of a saved region, in its directory. */
#include <stdio.h>

#include "report/mce_list.h"
#include "spool/saved_text.h"
#include "common.h"

static int put_mce(const struct account *account)
{
	if (mces_count(account_mces(account)))
		print_mces(stdout, account);
	return ERR_OK;
}

static int put_dmesg(const struct account *account)
{
	records_print(stdout, &account->trace->records);
	return ERR_OK;
}

static int put_region(int argc, char **argv, void *arg)
{
	struct input_files files = cmd_take_files(argc, argv);
	int (*put)(const struct account *account) = *(int (**)(const struct account *))arg;
	struct err err = ERR_INIT;
	struct account account;
	int status;

	if (account_open(&account, &files, ACCOUNT_REGION, GENERATION_NEWEST, &err))
		status = cmd_fail(argv[0], &err);
	else
		status = put(&account);
	account_close(&account);
	return cmd_worse(status, cmd_flush(argv[0]));
}

static int with_region(const char *name, int (*put)(const struct account *account))
{
	char *argv[] = { (char *)name, SAVED_REGION, NULL };
	struct cmd_work work = { put_region, &put, -1, false };

	optind = 1;
	return cmd_run(&work, 2, argv);
}

int saved_text_report(void)
{
	char *argv[] = { "report", "--all", SAVED_REGION, NULL };

	optind = 0;
	return cmd_report(3, argv);
}

int saved_text_json(void)
{
	char *argv[] = { "export", "--to", "json", "-o", "-", SAVED_REGION, NULL };

	optind = 0;
	return cmd_export(6, argv);
}

int saved_text_mce(void)
{
	return with_region("mce", put_mce);
}

int saved_text_dmesg(void)
{
	return with_region("dmesg", put_dmesg);
}
