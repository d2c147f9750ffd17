// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "event/field_iter.h"
#include "event/field_layout.h"
#include "mce/corrected_rate.h"
#include "mce/cper.h"
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

/* null: there was no memory to count them. */
static void put_rates_json(struct json *j, const struct mces *mces)
{
	struct corrected_rate *rates;
	u32 nr, i;

	if (corrected_rates(&rates, &nr, mces->list, mces->nr)) {
		json_null(j, "corrected");
		return;
	}
	json_open(j, "corrected", '[');
	for (i = 0; i < nr; i++) {
		json_open(j, NULL, '{');
		json_u64(j, "cpu", rates[i].cpu);
		json_u64(j, "bank", rates[i].bank);
		json_u64(j, "errors", rates[i].nr);
		json_bool(j, "at_least", rates[i].at_least || mces->evicted || mces->absent);
		json_u64(j, "first_ts_ns", rates[i].first);
		json_u64(j, "last_ts_ns", rates[i].last);
		json_u64(j, "most_in_a_day", rates[i].most);
		json_bool(j, "too_many", corrected_rate_is_high(&rates[i]));
		json_close(j, '}');
	}
	json_close(j, ']');
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
	put_rates_json(&j, mces);
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

/* The type of the section of ras:non_standard_event, whose name is known; NULL: it is no such event. */
static const char *section_of(const struct item *item)
{
	const struct format *format = formats_get(item->stream->formats, item->id);
	struct bytes payload = bytes_of(item->payload, item->size, item->stream->order);
	const struct layout_field *type;

	if (strcmp(item_name(item), "ras:non_standard_event"))
		return NULL;
	type = layout_field_named(&format->layout, "sec_type", strlen("sec_type"));
	return type && type->size == 16 && layout_field_is_in(type, &payload) ?
	       cper_section_name(payload.data + type->off) : NULL;
}

/* Behind an event of firmware: what its numbers mean. */
static void put_cper_words(struct line_watch *watch, const struct line *line)
{
	const char *section, *severity = NULL;
	struct field field;

	(void)watch;
	if (line->kind != LINE_EVENT || line->item->kind != ITEM_EVENT)
		return;
	section = section_of(line->item);
	if (!section)
		return;
	if (field_iter_find(line->item, "sev", &field) && field.kind == FIELD_NUMBER)
		severity = cper_ghes_severity_name(field.number);
	printf("#   firmware's record is about: %s", section);
	if (severity)
		printf("; %s, if GHES reported it", severity);
	putchar('\n');
}

/* Errors of other hardware: memory controllers, buses, CXL devices, firmware. */
static int put_other_hardware(struct postmortem *pm, const char *what, const char *glob, struct err *err)
{
	struct line_watch watch = { .on_line = put_cper_words };
	struct window window = WINDOW_INIT;
	int ret;

	window.kind = WINDOW_ALL;
	window.event = glob;
	ret = window_choose(&window, pm, err);
	if (ret || !window.shown)
		return ret;
	printf("%s%s: %llu\n", what, pm->recording ? "" : " in the kernel's own trace", window.shown);
	return print_lines(stdout, pm, &window, &watch, err);
}

static int put_ras(struct postmortem *pm, struct err *err)
{
	int ret = put_other_hardware(pm, "errors of other hardware", "ras:*", err);

	return ret ? ret : put_other_hardware(pm, "events of CXL devices", "cxl:*", err);
}

static bool is_for_program(const struct report_request *r)
{
	return r->json || r->raw || r->sql;
}

/* CXL devices' tracepoints are known only where the bridge recorded them. */
static bool knows_cxl(const struct recording *recording)
{
	for (u32 i = 0; i < formats_nr(recording->formats); i++)
		if (!strncmp(formats_name(recording->formats, formats_id(recording->formats, i)), "cxl:", 4))
			return true;
	return false;
}

/* Without a region: what the kernel itself left. */
static int print_kernel(struct postmortem *pm, const char *path, const struct report_request *r, int *status,
			struct err *err)
{
	int ret = pm_scan(pm, err);

	if (!ret)
		ret = mce_from_ftrace(pm, err);
	if (ret)
		return ret;
	verdict_note_container(pm);
	print_mce_file(pm, path, r);
	if (!is_for_program(r))
		ret = put_ras(pm, err);
	if (!ret)
		*status = verdict_of_postmortem(pm, "mce", path);
	return ret;
}

/*
 * Of a region: machine checks have a section of their own, which is read without the rings, and their
 * damage alone is in @status. The rings are read only if they have other errors.
 */
static int print_recorded(struct postmortem *pm, const char *path, const struct report_request *r, int *status,
			  struct err *err)
{
	u64 events, damaged;
	int ret;

	verdict_note_container(pm);
	print_mce_file(pm, path, r);
	*status = verdict_of_postmortem(pm, "mce", path);
	if (is_for_program(r))
		return 0;
	ret = recording_probe(pm->recording, "ras", &events, &damaged, err);
	if (ret)
		return ret;
	if (damaged)
		printf("errors of other hardware may be missing: of their rings, %llu sub-buffer%s damaged\n", damaged,
		       damaged == 1 ? " is" : "s are");
	if (!events && !knows_cxl(pm->recording))
		return 0;
	ret = pm_scan(pm, err);
	return ret ? ret : put_ras(pm, err);
}

static int mce_file(const struct dump_files *files, void *arg)
{
	const struct report_request *r = arg;
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	if (chosen_open(&pm, files, &r->choice, &err))
		status = status_fail("mce", &err);
	else if ((pm.recording ? print_recorded : print_kernel)(&pm, path, r, &status, &err))
		status = status_fail_file("mce", path, &err);
	pm_close(&pm);
	return status;
}

int mce_files(struct file_list *files, void *request)
{
	const struct report_request *r = request;

	return files_each(files, "mce", !r->json, mce_file, request);
}
