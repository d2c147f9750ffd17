// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <stdio.h>
#include <string.h>

#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"
#include "info.h"

static int info_generation(const struct report_request *r, struct postmortem *pm, const char *path)
{
	struct err err = ERR_INIT;

	if (pm_scan(pm, &err))
		return status_fail_file("info", path, &err);
	if (pm->recording)
		formats_check(pm->recording->formats);
	verdict_note_container(pm);
	if (pm->recording)
		(r->json ? info_json : info_text)(pm, path);
	else
		(r->json ? info_kernel_json : info_kernel_text)(pm, path);
	return verdict_of_postmortem(pm, "info", path);
}

static int info_all(const struct report_request *r, struct postmortem *pm, const char *path)
{
	struct err err = ERR_INIT;
	int status = ERR_OK;
	u32 i;

	for (i = 0; i < pm->generations->nr; i++) {
		if (pm_turn(pm, i, &err))
			return status_fail_file("info", path, &err);
		if (i && !r->json)
			putchar('\n');
		status = status_worse(status, info_generation(r, pm, path));
	}
	return status;
}

static int info_stacks(const struct report_request *r, struct postmortem *pm, const char *path)
{
	struct err err = ERR_INIT;
	int ret = pm_scan(pm, &err);

	if (!ret)
		ret = (r->json ? info_stacks_json : info_stacks_text)(pm, path, &err);
	if (ret)
		return status_fail_file("info", path, &err);
	verdict_note_container(pm);
	return verdict_of_postmortem(pm, "info", path);
}

static int info_file(const struct dump_files *files, void *arg)
{
	const struct report_request *r = arg;
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (chosen_open(&pm, files, &r->choice, &err)) {
		status = status_fail("info", &err);
	} else if (r->stacks) {
		status = info_stacks(r, &pm, path);
	} else if (r->choice.generation == CHOICE_ALL && pm.generations) {
		status = info_all(r, &pm, path);
	} else {
		/* What was not asked for may be there. */
		if (r->choice.sources && !(r->choice.sources & POSTMORTEM_REGION))
			strcpy(pm.why_no_region, "it was not asked for (--source region)");
		status = info_generation(r, &pm, path);
	}
	pm_close(&pm);
	return status;
}

int info_files(struct file_list *files, void *request)
{
	return files_each(files, "info", false, info_file, request);
}
