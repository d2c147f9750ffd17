// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <stdio.h>

#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"
#include "report.h"
#include "together.h"

/* What is known once everything has been looked at. */
static int print_all(const struct report_request *r, struct postmortem *pm,
		     const struct window *window, struct err *err)
{
	int ret = print_end(stdout, pm, r->monotonic, r->why, err);

	if (ret)
		return ret;
	if (pm->recording)
		print_others(stdout, pm);
	print_summary(stdout, pm, window);
	ret = print_events(stdout, pm, window, r->monotonic, err);
	if (ret)
		return ret;
	if (pm->recording)
		print_cpus(stdout, pm);
	print_debuginfo_notes(stdout, pm);
	return 0;
}

static int print_joint_text(const struct report_request *r, struct joint *joint, const struct window *window, struct err *err)
{
	struct postmortem *pm = joint->host;
	int ret;

	print_head(stdout, pm);
	ret = print_end(stdout, pm, r->monotonic, r->why, err);
	if (ret)
		return ret;
	if (pm->recording)
		print_others(stdout, pm);
	print_summary(stdout, pm, NULL);
	ret = print_together(stdout, joint, window, r->monotonic, err);
	if (!ret && pm->recording)
		print_cpus(stdout, pm);
	return ret;
}

/* A host with its guests. */
static int print_with_guests(const struct report_request *r, const struct dump_files *files, struct postmortem *pm,
			     struct joint **joint, struct err *err)
{
	struct window window = chosen_window(&r->choice);
	int ret;

	window_prepare(&window, pm);
	ret = pm_scan(pm, err);
	if (!ret)
		ret = chosen_joint(joint, pm, files, &r->choice, err);
	if (ret)
		return ret;
	verdict_note_container(pm);
	ret = r->json ? print_together_json(stdout, *joint, &window, err) : print_joint_text(r, *joint, &window, err);
	return ret ? ret : verdict_of_joint_window("report", files->path[0], *joint, &window, err);
}

static int report_with_guests(const struct report_request *r, const struct dump_files *files)
{
	const char *path = files->path[0];
	struct joint *joint = NULL;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (chosen_open(&pm, files, &r->choice, &err))
		status = status_fail("report", &err);
	else if (print_with_guests(r, files, &pm, &joint, &err))
		status = status_fail_file("report", path, &err);
	else
		status = verdict_of_joint(joint, "report", verdict_of_postmortem(&pm, "report", path));
	chosen_joint_close(joint);
	pm_close(&pm);
	return status;
}

static int print_one(const struct report_request *r, const char *path, struct postmortem *pm,
		     struct err *err)
{
	struct window window = chosen_window(&r->choice);
	int ret;

	if (!r->json) {
		print_head(stdout, pm);
		fflush(stdout);
	}
	window_prepare(&window, pm);
	window_prepare_tail(&window, pm);
	ret = pm_scan(pm, err);
	if (!ret)
		ret = window_choose(&window, pm, err);
	if (ret)
		return ret;
	verdict_note_container(pm);
	ret = r->json ? print_json(stdout, pm, &window, err) :
			print_all(r, pm, &window, err);
	return ret ? ret : verdict_of_window("report", path, pm, &window, err);
}

static int report_file(const struct dump_files *files, void *arg)
{
	const struct report_request *r = arg;
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (r->choice.nr_with)
		return report_with_guests(r, files);
	if (chosen_open(&pm, files, &r->choice, &err))
		status = status_fail("report", &err);
	else if (print_one(r, path, &pm, &err))
		status = status_fail_file("report", path, &err);
	else
		status = verdict_of_postmortem(&pm, "report", path);
	pm_close(&pm);
	return status;
}

int report_files(struct file_list *files, void *request)
{
	const struct report_request *r = request;

	return files_each(files, "report", !r->json, report_file, request);
}
