// SPDX-License-Identifier: GPL-2.0-or-later
#include "redact_files.h"

#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"

static int redact_file(const struct dump_files *files, void *arg)
{
	struct redact_request *r = arg;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status = ERR_OK;

	r->choice.sources = POSTMORTEM_REGION;
	r->policy.preview = r->out ? NULL : stdout;
	if (chosen_open(&pm, files, &r->choice, &err))
		status = status_fail("redact", &err);
	else if (redact(r->done, pm.recording, r->key, &r->policy, r->fd, &err))
		status = status_fail_file("redact", r->out ? r->out : "standard output", &err);
	pm_close(&pm);
	return status;
}

int redact_files(struct file_list *files, void *request)
{
	return files_one(files, "redact", redact_file, request);
}
