// SPDX-License-Identifier: GPL-2.0-or-later
/* Why a kernel ended, as one sentence. */
#include "requests.h"

#include <stdio.h>
#include <string.h>

#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "timeline/death.h"

static void put_report_cause(struct cause *cause, const struct kernel_report *report)
{
	snprintf(cause->text, sizeof(cause->text), "%.*s%s%.*s", (int)report->title.len, report->title.text,
		 report->place.text ? " at " : "", (int)report->place.len,
		 report->place.text ? report->place.text : "");
}

static void put_cause_of_death(struct cause *cause, const struct postmortem *pm,
			       const struct death *death)
{
	bool hung = death->cause >= 0 &&
		    death->reports.list[death->cause].kind == KERNEL_REPORT_HUNG_TASK;

	cause->end = CAUSE_CRASHED;
	if (death->cause >= 0)
		put_report_cause(cause, &death->reports.list[hung ? death->first_blocked : death->cause]);
	else if (death->panic >= 0)
		put_report_cause(cause, &death->reports.list[death->panic]);
	else
		snprintf(cause->text, sizeof(cause->text), "%s", pm->end.reason);
}

static int find_cause_of_end(struct cause *cause, struct postmortem *pm, struct err *err)
{
	struct death death;
	int ret = pm_scan(pm, err);

	if (ret)
		return ret;
	ret = death_read(&death, pm, err);
	cause->real_ns = pm->end.real_ns;
	if (!ret && pm->end.how == OUTCOME_ENDED) {
		cause->end = CAUSE_ENDED;
		snprintf(cause->text, sizeof(cause->text), "%s", pm->end.reason);
	} else if (!ret && (pm->end.how == OUTCOME_CRASHED || death.panic >= 0)) {
		put_cause_of_death(cause, pm, &death);
		cause->is_rehearsal = death_rehearsal(&death, pm) >= 0;
	} else if (!ret) {
		cause->end = CAUSE_UNKNOWN;
	}
	death_free(&death);
	return ret;
}

static int cause_of_file(const struct dump_files *files, void *arg)
{
	struct choice choice = CHOICE_INIT;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status = ERR_OK;

	if (chosen_open(&pm, files, &choice, &err))
		status = status_fail("list", &err);
	else if (find_cause_of_end(arg, &pm, &err))
		status = status_fail_file("list", files->path[0], &err);
	pm_close(&pm);
	return status;
}

int cause_files(struct file_list *files, void *cause)
{
	return files_one(files, "list", cause_of_file, cause);
}
