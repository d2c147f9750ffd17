// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <stdio.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "mce/decode.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"
#include "timeline/mce_from_ftrace.h"
#include "mce_line.h"
#include "mce_list.h"
#include "mce_sql.h"
#include "report.h"

#define SCHEMA_VERSION	1

/* A line each, and no words. */
static void put_mce_raw(const struct mce *mce)
{
	u32 i;
	bool any = false;

	printf("seq=%llu mono_ns=%llu cpu=%u bank=%u vendor=%u sources=", mce->seq,
	       mce->mono_ns, mce->cpu, mce->bank, mce->vendor);
	for (i = 0; i < MCE_NR_SOURCES; i++)
		if (mce->sources & (1U << i)) {
			printf("%s%s", any ? "," : "", mce_source_name(i));
			any = true;
		}
	putchar(' ');
	mce_put_raw(stdout, mce);
	putchar('\n');
}

static void put_mce_json(const struct postmortem *pm, const struct mce *mce, bool of_death)
{
	const struct mces *mces = pm_mces(pm);
	struct json j = { .f = stdout };
	u32 i;

	json_open(&j, NULL, '{');
	json_u64(&j, "ts_ns", mce->mono_ns);
	if (mce->real_ns)
		json_u64(&j, "wall_ns", mce->real_ns);
	else
		json_null(&j, "wall_ns");
	if (pm->end.how == OUTCOME_CRASHED)
		json_s64(&j, "before_crash_ns", (s64)(pm->end.time - mce->mono_ns));
	else
		json_null(&j, "before_crash_ns");
	json_u64(&j, "recorded_by", mce->recorded_by);
	if (mce->pid >= 0) {
		json_s64(&j, "pid", mce->pid);
		json_str(&j, "comm", mce->comm);
	} else {
		json_null(&j, "pid");
		json_null(&j, "comm");
	}
	json_bool(&j, "of_death", of_death);
	json_open(&j, "same_cpus", '[');
	for (i = mce->same; i; i = mces->list[i].same)
		json_u64(&j, NULL, mces->list[i].cpu);
	json_close(&j, ']');
	print_mce_fields(&j, mce);
	json_close(&j, '}');
	json_end(&j);
}

static void put_json_head(const struct postmortem *pm, const char *path)
{
	const struct mces *mces = pm_mces(pm);
	struct json j = { .f = stdout };
	char boot_id[40];

	text_uuid(boot_id, sizeof(boot_id), pm->origin.boot_id);
	json_open(&j, NULL, '{');
	json_str(&j, "schema", "epitaph-mce");
	json_u64(&j, "version", SCHEMA_VERSION);
	json_str(&j, "file", path);
	json_str(&j, "boot_id", pm->origin.has_boot_id ? boot_id : NULL);
	json_u64(&j, "machine_checks", mces_count(mces));
	json_u64(&j, "recorded", mces->recorded);
	json_u64(&j, "evicted", mces->evicted);
	json_u64(&j, "absent", mces->absent);
	json_u64(&j, "unfinished", mces->unfinished);
	json_close(&j, '}');
	json_end(&j);
}

static void put_lines(const struct postmortem *pm, const struct report_request *r)
{
	const struct mce *death = print_mce_of_death(pm);
	const struct mces *mces = pm_mces(pm);
	u32 i;

	for (i = 0; i < mces->nr; i++) {
		const struct mce *mce = &mces->list[i];

		if (mce->is_same)
			continue;
		if (r->json)
			put_mce_json(pm, mce, mce == death);
		else
			put_mce_raw(mce);
	}
}

static void print_mce_file(const struct postmortem *pm, const char *path,
			   const struct report_request *r)
{
	if (r->sql)
		return print_mces_sql(stdout, pm);
	if (!r->json && !r->raw)
		return print_mces(stdout, pm);
	if (r->json)
		put_json_head(pm, path);
	put_lines(pm, r);
}

/* What the kernel's trace has of errors of other hardware. */
static int put_ras(struct postmortem *pm, struct err *err)
{
	struct window window = WINDOW_INIT;
	int ret;

	window.kind = WINDOW_ALL;
	window.event = "ras:*";
	ret = window_choose(&window, pm, err);
	if (ret || !window.shown)
		return ret;
	printf("errors of other hardware in the kernel's own trace: %llu\n", window.shown);
	return print_events(stdout, pm, &window, false, err);
}

/* Without a region: what the kernel itself left. */
static int print_kernel(struct postmortem *pm, const char *path, const struct report_request *r,
			struct err *err)
{
	int ret = pm_scan(pm, err);

	if (!ret)
		ret = mce_from_ftrace(pm, err);
	if (ret)
		return ret;
	verdict_note_container(pm);
	print_mce_file(pm, path, r);
	return r->json || r->raw ? 0 : put_ras(pm, err);
}

static int mce_file(const struct dump_files *files, void *arg)
{
	const struct report_request *r = arg;
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (chosen_open(&pm, files, &r->choice, &err)) {
		status = status_fail("mce", &err);
	} else if (!pm.recording && print_kernel(&pm, path, r, &err)) {
		status = status_fail_file("mce", path, &err);
	} else {
		if (pm.recording) {
			verdict_note_container(&pm);
			print_mce_file(&pm, path, r);
		}
		status = verdict_of_postmortem(&pm, "mce", path);
	}
	pm_close(&pm);
	return status;
}

int mce_files(struct file_list *files, void *request)
{
	const struct report_request *r = request;

	return files_each(files, "mce", !r->json, mce_file, request);
}
