// SPDX-License-Identifier: GPL-2.0-or-later
#include "requests.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "base/json.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"

/* "path: 0x1000: words" */
static void put_notes(const struct damage_notes *notes, const char *path)
{
	u64 i;

	for (i = 0; i < notes->kept; i++) {
		if (notes->list[i].off == NOTE_NOWHERE)
			printf("%s: %s\n", path, notes->list[i].text);
		else
			printf("%s: byte 0x%llx of the generation: %s\n", path,
			       notes->list[i].off, notes->list[i].text);
	}
	if (notes->nr > notes->kept)
		printf("%s: and %llu things more\n", path, notes->nr - notes->kept);
}

static void put_check_text(const struct postmortem *pm, const char *path)
{
	if (pm->recording)
		put_notes(&pm->recording->generation->notes, path);
	put_notes(&pm->notes, path);
	if (pm_lost(pm))
		printf("%s: at least %llu event%s lost\n", path, pm_lost(pm),
		       pm_lost(pm) == 1 ? " was" : "s were");
}

static void json_notes(struct json *j, const struct damage_notes *notes)
{
	u64 i;

	for (i = 0; i < notes->kept; i++) {
		json_open(j, NULL, '{');
		if (notes->list[i].off == NOTE_NOWHERE)
			json_null(j, "offset");
		else
			json_u64(j, "offset", notes->list[i].off);
		json_str(j, "what", notes->list[i].text);
		json_close(j, '}');
	}
}

/* Without a region, the figures of the recorder's rings are 0. */
static void put_check_json(const struct postmortem *pm, const char *path)
{
	const struct recording_total none = { 0 };
	const struct recording_total *rings = pm->recording ? &pm->recording->total : &none;
	struct json j = { .f = stdout };

	json_open(&j, NULL, '{');
	json_str(&j, "file", path);
	json_bool(&j, "whole", pm_status(pm) == ERR_OK);
	json_u64(&j, "events", pm->total.events);
	json_u64(&j, "unfinished", rings->torn);
	json_u64(&j, "lost", pm_lost(pm));
	json_u64(&j, "damaged_sub_buffers", rings->damaged);
	json_u64(&j, "repaired_sub_buffers", rings->repaired);
	json_u64(&j, "withheld", rings->withheld);
	json_u64(&j, "missing_sub_buffers", rings->missing);
	json_u64(&j, "damage_notes", pm_damage(pm));
	json_open(&j, "damage", '[');
	if (pm->recording)
		json_notes(&j, &pm->recording->generation->notes);
	json_notes(&j, &pm->notes);
	json_close(&j, ']');
	json_close(&j, '}');
	json_end(&j);
}

static int check_file(const struct dump_files *files, void *arg)
{
	const struct report_request *r = arg;
	const char *path = files->path[0];
	struct err err = ERR_INIT;
	char name[1024];
	struct postmortem pm;
	int status;

	escape_text(name, sizeof(name), path, strlen(path));
	if (chosen_open(&pm, files, &r->choice, &err)) {
		status = status_fail("check", &err);
	} else if (pm_scan(&pm, &err)) {
		status = status_fail_file("check", path, &err);
	} else {
		if (pm.recording)
			formats_check(pm.recording->formats);
		verdict_note_all(&pm);
		status = pm_status(&pm);
		if (r->json)
			put_check_json(&pm, path);
		else
			put_check_text(&pm, name);
	}
	pm_close(&pm);
	return status;
}

int check_files(struct file_list *files, void *request)
{
	return files_each(files, "check", false, check_file, request);
}
