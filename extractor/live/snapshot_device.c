// SPDX-License-Identifier: GPL-2.0-or-later
#include "reading/status.h"
#include "timeline/postmortem.h"
#include "snapshot.h"

static int shoot(const struct snapshot_request *r, struct postmortem *pm)
{
	struct err err = ERR_INIT;

	if (!snapshot_take(pm->recording, r->channel, r->no_rings, r->out, r->counts, &err))
		return ERR_OK;
	if (err.code == ERR_USAGE)
		return status_fail("snapshot", &err);
	/* What cannot be written is not the recorder's. */
	return status_fail_file("snapshot", err.code == ERR_IO ? r->path : r->device, &err);
}

int snapshot_device(struct file_list *files, void *request)
{
	const struct snapshot_request *r = request;
	struct err err = ERR_INIT;
	struct postmortem pm;
	struct dump *in;
	int status;

	(void)files;
	if (dump_open_live(&in, r->in, &err))
		return status_fail_file("snapshot", r->device, &err);
	if (pm_open_dump(&pm, in, POSTMORTEM_REGION, GENERATION_NEWEST, &err))
		status = status_fail_file("snapshot", r->device, &err);
	else
		status = shoot(r, &pm);
	pm_close(&pm);
	return status;
}
