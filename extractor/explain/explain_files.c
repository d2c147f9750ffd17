// SPDX-License-Identifier: GPL-2.0-or-later
#include "explain_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "evidence_item.h"
#include "explain.h"
#include "page.h"
#include "instruction/instruction.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "reading/verdict.h"

static int explain_postmortem(const struct explain_request *request, const char *path,
			      struct postmortem *pm, struct err *err)
{
	struct finding *finding = malloc(sizeof(*finding));
	int ret = finding ? pm_scan(pm, err) : err_sys(err, "a finding");

	/* Places are counted as the other commands count them. */
	if (!ret)
		verdict_note_container(pm);
	if (!ret)
		ret = explain_death(finding, pm, err);
	if (!ret && request->json)
		ret = evidence_items_find(finding, pm, err);
	if (!ret && request->json)
		page_print_json(stdout, finding, pm, path);
	else if (!ret && request->sentence)
		page_print_sentence(stdout, finding);
	else if (!ret)
		page_print(stdout, finding, pm, path);
	free(finding);
	return ret;
}

/* --- a host with its guests ------------------------------------------------ */

/* Does a shell take it for one word? */
static bool is_plain(const char *text)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-/@:";

	return *text && !text[strspn(text, plain)];
}

/* The guest as it was asked for: in the host's dump, or in a file. */
static void put_report_command(struct finding *finding, const struct joint_guest *guest)
{
	const char *vm = guest->asked.vm, *path = guest->asked.path;

	if (path && (!is_plain(path) || (vm && !is_plain(vm))))
		finding_next(finding, "epitaph report with the same --with, and FILE");
	else if (path)
		finding_next(finding, "epitaph report --with guest=%s%s%s FILE", vm ? vm : "", vm ? ":" : "", path);
	else if (is_plain(vm))
		finding_next(finding, "epitaph report --with guest=%s FILE", vm);
	else
		finding_next(finding, "epitaph report --with guest=@0x%llx FILE", guest->vm->va);
}

static int find_guests_end(struct finding *finding, struct joint *joint, struct joint_guest *guest, struct err *err)
{
	struct guest_run run;
	int ret = explain_death(finding, &guest->pm, err);

	if (!ret && guest->is_related)
		ret = guest_run_read(&run, joint, guest, err);
	if (ret)
		return ret;
	finding->nr_next = 0;
	put_report_command(finding, guest);
	if (!guest->is_related) {
		finding_note(&finding->missing, "what its host did meanwhile: its times are not known: %s", guest->why);
		return 0;
	}
	both_sides_add(finding, &run, guest->pm.end.time);
	return both_sides_add_lines(finding, &run, joint, guest, err);
}

static int explain_guests(const struct explain_request *request, const struct dump_files *files, struct postmortem *pm,
			  struct joint **joint, struct err *err)
{
	struct finding *finding;
	int ret = chosen_joint(joint, pm, files, &request->choice, err);

	if (!ret)
		ret = joint_try(*joint, err);
	if (ret)
		return ret;
	finding = malloc(sizeof(*finding));
	if (!finding)
		return err_sys(err, "a finding");
	for (u32 i = 0; i < (*joint)->nr && !ret; i++) {
		struct joint_guest *guest = &(*joint)->list[i];

		ret = find_guests_end(finding, *joint, guest, err);
		if (ret)
			break;
		fputs("\nguest     ", stdout);
		text_put(stdout, guest->name, strlen(guest->name));
		putchar('\n');
		page_print(stdout, finding, &guest->pm, files->path[0]);
	}
	free(finding);
	return ret;
}

static int explain_file(const struct dump_files *files, void *arg)
{
	const struct explain_request *request = arg;
	const char *path = files->path[0];
	struct choice choice = request->choice;
	struct joint *joint = NULL;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status;

	/* The kernel's memory has more than its events. */
	if (!choice.sources)
		choice.sources = POSTMORTEM_ALL;
	if (chosen_open(&pm, files, &choice, &err))
		status = status_fail("explain", &err);
	else if (explain_postmortem(request, path, &pm, &err) ||
		 (choice.nr_with && explain_guests(request, files, &pm, &joint, &err)))
		status = status_fail_file("explain", path, &err);
	else
		status = verdict_of_postmortem(&pm, "explain", path);
	if (joint && status <= ERR_DAMAGED)
		status = verdict_of_joint(joint, "explain", status);
	chosen_joint_close(joint);
	pm_close(&pm);
	return status;
}

void explain_prepare(void)
{
	instruction_prepare();
}

int explain_files(struct file_list *files, void *request)
{
	const struct explain_request *r = request;

	return files_each(files, "explain", !r->json, explain_file, request);
}
