// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain_files.h"

#include <stdio.h>
#include <stdlib.h>

#include "explain.h"
#include "page.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"

static int explain_postmortem(const struct explain_request *request, const char *path,
			      struct postmortem *pm, struct err *err)
{
	struct finding *finding = malloc(sizeof(*finding));
	int ret = finding ? pm_scan(pm, err) : err_sys(err, "a finding");

	if (!ret)
		ret = explain_death(finding, pm, err);
	if (!ret && request->json)
		page_print_json(stdout, finding, pm, path);
	else if (!ret)
		page_print(stdout, finding, pm, path);
	free(finding);
	return ret;
}

static int explain_file(const struct dump_files *files, void *arg)
{
	const struct explain_request *request = arg;
	const char *path = files->path[0];
	struct choice choice = request->choice;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	/* The kernel's memory has more than its events. */
	if (!choice.sources)
		choice.sources = POSTMORTEM_ALL;
	if (chosen_open(&pm, files, &choice, &err))
		status = status_fail("explain", &err);
	else if (explain_postmortem(request, path, &pm, &err))
		status = status_fail_file("explain", path, &err);
	else
		status = verdict_of_postmortem(&pm, "explain", path);
	pm_close(&pm);
	return status;
}

int explain_files(struct file_list *files, void *request)
{
	const struct explain_request *r = request;

	return files_each(files, "explain", !r->json, explain_file, request);
}
