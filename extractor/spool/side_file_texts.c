// SPDX-License-Identifier: GPL-2.0-or-later
/* The texts that are made of a saved region, in its directory. */
#include <stdio.h>

#include "explain/explain_files.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "report/mce_list.h"
#include "report/requests.h"
#include "side_files.h"

#define SUMMARY_EVENTS	40	/* with the head, a few KiB */

static int read_saved(const char *name, int (*run)(struct file_list *files, void *arg), void *arg,
		      bool paged)
{
	struct reading reading = {
		.name = name, .run = run, .arg = arg, .make_dir = -1, .paged = paged,
	};
	char *path[] = { (char *)SAVED_REGION };

	return reading_run(&reading, (struct file_list){ path, 1 });
}

int side_file_summary(void)
{
	struct report_request request = { .choice = CHOICE_INIT };

	request.choice.has_events = true;
	request.choice.events = SUMMARY_EVENTS;
	side_file_read_why(SAVED_REGION, request.why, sizeof(request.why));
	return read_saved("report", report_files, &request, true);
}

int side_file_why(void)
{
	struct explain_request request = { .choice = CHOICE_INIT, .sentence = true };

	return read_saved("explain", explain_files, &request, false);
}

struct side_text {
	const char *name;
	void (*put)(const struct postmortem *pm);
};

static void put_mce_text(const struct postmortem *pm)
{
	if (mces_count(pm_mces(pm)))
		print_mces(stdout, pm);
}

static void put_dmesg_text(const struct postmortem *pm)
{
	records_print(stdout, &pm->recording->records);
}

static int put_side_text(struct file_list *files, void *arg)
{
	const struct side_text *text = arg;
	struct dump_files taken = files_take(files);
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status = ERR_OK;

	if (pm_open(&pm, &taken, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = status_fail(text->name, &err);
	else
		text->put(&pm);
	pm_close(&pm);
	return status_worse(status, status_flush(text->name));
}

int side_file_mce(void)
{
	struct side_text text = { "mce", put_mce_text };

	return read_saved(text.name, put_side_text, &text, false);
}

int side_file_dmesg(void)
{
	struct side_text text = { "dmesg", put_dmesg_text };

	return read_saved(text.name, put_side_text, &text, false);
}
