// SPDX-License-Identifier: GPL-2.0-or-later
#include "verdict.h"

#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "os/progress.h"
#include "timeline/empty_window.h"
#include "status.h"

static void note_all_of_container(struct postmortem *pm)
{
	struct damage_notes *notes = pm->recording ? &pm->recording->generation->notes : &pm->notes;
	const char *words;
	size_t i;

	for (i = 0; (words = dump_damage(pm->dump, i)); i++)
		damage_notes_add(notes, NOTE_NOWHERE, "the file: %s", words);
}

/*
 * A dump that lacks pages elsewhere is not our concern; one that lacks some of
 * ours has been noted where they were missed.
 */
void verdict_note_container(struct postmortem *pm)
{
	if (pm_damage(pm))
		note_all_of_container(pm);
}

void verdict_note_all(struct postmortem *pm)
{
	if (pm_damage(pm) || dump_is_cut(pm->dump))
		note_all_of_container(pm);
}

int verdict_of_window(const char *name, const char *path, struct postmortem *pm,
		      const struct window *window, struct err *err)
{
	struct damage_notes notes = { 0 };
	int ret = window_explain_empty(&notes, window, pm, err);
	char escaped[1024];
	u64 i;

	if (notes.kept)
		fflush(stdout);
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	for (i = 0; i < notes.kept; i++)
		fprintf(stderr, "epitaph %s: %s: %s\n", name, escaped, notes.list[i].text);
	damage_notes_free(&notes);
	return ret;
}

int verdict_of_joint_window(const char *name, const char *path, struct joint *joint, const struct window *asked,
			    struct err *err)
{
	int ret = joint->matched ? 0 : verdict_of_window(name, path, joint->host, asked, err);

	for (u32 i = 0; i < joint->nr && !ret && !joint->matched; i++) {
		char guest[KVM_NAME_MAX + 8];

		snprintf(guest, sizeof(guest), "guest %s", joint->list[i].name);
		ret = verdict_of_window(name, guest, &joint->list[i].pm, asked, err);
	}
	return ret;
}

int verdict_of_postmortem(const struct postmortem *pm, const char *name, const char *path)
{
	u64 damage = pm_damage(pm), lost = pm_lost(pm);
	int status = pm_status(pm);
	char escaped[1024];

	progress_end();
	if (status == ERR_OK)
		return status;
	fflush(stdout);
	escape_text(escaped, sizeof(escaped), path, strlen(path));
	fprintf(stderr, "epitaph %s: %s: recovered, with", name, escaped);
	if (damage)
		fprintf(stderr, " damage in %llu place%s", damage, damage == 1 ? "" : "s");
	if (lost)
		fprintf(stderr, "%s at least %llu event%s lost", damage ? " and" : "", lost,
			lost == 1 ? "" : "s");
	putc('\n', stderr);
	return status;
}

int verdict_of_joint(const struct joint *joint, const char *name, int status)
{
	for (u32 i = 0; i < joint->nr; i++) {
		const struct joint_guest *guest = &joint->list[i];
		char path[KVM_NAME_MAX + 8];

		snprintf(path, sizeof(path), "guest %s", guest->name);
		status = status_worse(status, verdict_of_postmortem(&guest->pm, name, path));
		if (!guest->is_related || guest->left_before || guest->left_after)
			status = status_worse(status, ERR_DAMAGED);
	}
	return status;
}
