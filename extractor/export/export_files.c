// SPDX-License-Identifier: GPL-2.0-or-later
#include "export_files.h"

#include <string.h>

#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"
#include "report/report.h"
#include "export.h"

const struct export_target export_targets[] = {
	{ "json", print_json, NULL, false },
	{ "trace.dat", export_trace_dat, NULL, true },
	{ "ctf", NULL, export_ctf, false },
	{ "perfetto", export_perfetto, NULL, false },
	{ "html", export_html, NULL, false },
	{ 0 },
};

static int export_scan(struct postmortem *pm, const struct window *window, struct err *err)
{
	window_prepare(window, pm);
	return pm_scan(pm, err);
}

static int export_postmortem(struct export_request *r, const char *path, struct postmortem *pm,
			     struct window *window, struct err *err)
{
	int ret = window_choose(window, pm, err);

	if (!ret)
		ret = verdict_of_window("export", path, pm, window, err);
	if (ret)
		return ret;
	if (r->target->to_dir)
		return r->target->to_dir(r->out.dir, pm, window, err);
	ret = r->target->to_file(r->out.file, pm, window, err);
	return ret ? ret : output_flush(&r->out, err);
}

static int export_file(const struct dump_files *files, void *arg)
{
	struct export_request *r = arg;
	struct window window = chosen_window(&r->choice);
	const char *path = files->path[0];
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
		if (export_postmortem(r, path, &pm, &window, &err))
			status = status_fail("export", &err);
		else
			status = verdict_of_postmortem(&pm, "export", path);
	}
	pm_close(&pm);
	return status;
}

int export_files(struct file_list *files, void *request)
{
	return files_one(files, "export", export_file, request);
}
