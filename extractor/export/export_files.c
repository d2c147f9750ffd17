// SPDX-License-Identifier: GPL-2.0-or-later
#include "export_files.h"

#include <stdlib.h>
#include <string.h>

#include "explain/explain.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"
#include "report/report.h"
#include "report/together.h"
#include "export.h"

const struct export_target export_targets[] = {
	{ .name = "json", .to_file = print_json, .joint_to_file = print_together_json, .by_turns = true },
	{ .name = "trace.dat", .to_file = export_trace_dat, .seeks = true },
	{ .name = "ctf", .to_dir = export_ctf },
	{ .name = "perfetto", .to_file = export_perfetto, .joint_to_file = export_perfetto_joint },
	{ .name = "html", .to_page = export_html, .joint_to_page = export_html_joint, .by_turns = true },
	{ 0 },
};

static int export_scan(struct postmortem *pm, const struct window *window, struct err *err)
{
	window_prepare(window, pm);
	return pm_scan(pm, err);
}

/* As explain_files() finds it: the kernel's memory says more than its events. */
static int find_why(struct finding *finding, const struct export_request *r, const struct dump_files *files,
		    bool has_recording, struct err *err)
{
	struct choice choice = r->choice;
	struct postmortem pm;
	int ret;

	/* It is to be of the boot that the page shows. */
	choice.keeps_recording = has_recording;
	if (!choice.sources)
		choice.sources = POSTMORTEM_ALL;
	ret = chosen_open(&pm, files, &choice, err);
	if (!ret)
		ret = pm_scan(&pm, err);
	if (!ret)
		ret = explain_death(finding, &pm, err);
	pm_close(&pm);
	return ret;
}

static FILE *file_of(const struct export_request *r)
{
	return turns_file(r->choice.turns, r->out.file);
}

/* @joint: NULL: @pm alone */
static int export_why(struct export_request *r, const struct dump_files *files, struct postmortem *pm,
		      struct joint *joint, const struct window *window, struct err *err)
{
	struct finding *finding = calloc(1, sizeof(*finding));
	struct err why = ERR_INIT;
	int ret;

	if (!finding)
		return err_sys(err, "a finding");
	/* The page is of use without it; of several processes, one writes it. */
	if (turns_is_writer(window->turns) && find_why(finding, r, files, pm->recording, &why)) {
		memset(finding, 0, sizeof(*finding));
		finding_claim(finding, "none", FINDING_NOT_KNOWN, "It could not be found: %s", why.msg);
	}
	ret = joint ? r->target->joint_to_page(r->out.file, joint, window, finding, err) :
		      r->target->to_page(file_of(r), pm, window, finding, err);
	free(finding);
	return ret;
}

static int export_postmortem(struct export_request *r, const struct dump_files *files, struct postmortem *pm,
			     struct window *window, struct err *err)
{
	int ret = window_choose(window, pm, err);

	if (!ret)
		ret = verdict_of_window("export", files->path[0], pm, window, err);
	if (ret)
		return ret;
	if (r->target->to_dir)
		return r->target->to_dir(r->out.dir, pm, window, err);
	ret = r->target->to_page ? export_why(r, files, pm, NULL, window, err) :
				   r->target->to_file(file_of(r), pm, window, err);
	return ret || !turns_is_writer(window->turns) ? ret : output_flush(&r->out, err);
}

static int export_joint(struct export_request *r, const struct dump_files *files, struct postmortem *pm,
			struct joint **joint, struct window *window, struct err *err)
{
	int ret = chosen_joint(joint, pm, files, &r->choice, err);

	if (!ret)
		ret = r->target->joint_to_page ? export_why(r, files, pm, *joint, window, err) :
						 r->target->joint_to_file(r->out.file, *joint, window, err);
	if (!ret)
		ret = verdict_of_joint_window("export", files->path[0], *joint, window, err);
	return ret ? ret : output_flush(&r->out, err);
}

static int export_file(const struct dump_files *files, void *arg)
{
	struct export_request *r = arg;
	struct window window = chosen_window(&r->choice);
	const char *path = files->path[0];
	struct joint *joint = NULL;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (window.kind == WINDOW_DEFAULT)
		window.kind = WINDOW_ALL;
	if (chosen_open(&pm, files, &r->choice, &err)) {
		status = status_fail("export", &err);
	} else if (export_scan(&pm, &window, &err)) {
		status = status_fail_file("export", path, &err);
	} else {
		verdict_note_container(&pm);
		if (r->choice.nr_with ? export_joint(r, files, &pm, &joint, &window, &err) :
					export_postmortem(r, files, &pm, &window, &err))
			status = status_fail("export", &err);
		else
			status = verdict_of_postmortem(&pm, "export", path);
		if (joint && status <= ERR_DAMAGED)
			status = verdict_of_joint(joint, "export", status);
	}
	chosen_joint_close(joint);
	pm_close(&pm);
	return status;
}

int export_files(struct file_list *files, void *request)
{
	return files_one(files, "export", export_file, request);
}
