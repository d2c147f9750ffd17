// SPDX-License-Identifier: GPL-2.0-or-later
#include "redact_files.h"

#include <stdio.h>

#include "excerpt/excerpt.h"
#include "reading/chosen.h"
#include "reading/files.h"
#include "reading/status.h"
#include "timeline/report_lines.h"

/* Damage outside of the generation: in the file, and in the kernel's memory. */
static void report_vmcore_damage(struct redacted *done, const struct postmortem *pm)
{
	const char *note;

	for (size_t i = 0; (note = dump_damage(pm->dump, i)); i++, done->damage++)
		fprintf(stderr, "epitaph redact: %s\n", note);
	for (u64 i = 0; i < pm->notes.kept; i++)
		fprintf(stderr, "epitaph redact: %s\n", pm->notes.list[i].text);
	done->damage += pm->notes.nr;
}

/* Of a vmcore, what its memory says beside the recorder goes into the copy. */
static int redact_excerpt(struct redact_request *r, struct postmortem *pm, struct err *err)
{
	struct excerpt *excerpt = NULL;
	int ret = excerpt_open(&excerpt, pm, err);

	if (ret)
		return ret;
	report_vmcore_damage(r->done, pm);
	if (!pm->recording && !excerpt->nr_lines && !excerpt->nr_stacks) {
		excerpt_close(excerpt);
		return err_set(err, ERR_CORRUPT, ERR_NO_OFF,
			       "there is nothing to copy: no recording, no line of the log and no stack can be read");
	}
	if (*excerpt->no_stacks)
		snprintf(r->done->left_out, sizeof(r->done->left_out),
			 "stacks of the vmcore (%s)", excerpt->no_stacks);
	ret = redact(r->done, excerpt->recording, r->key, &r->policy, r->fd, err);
	r->done->lines = excerpt->nr_lines;
	r->done->stacks = excerpt->nr_stacks;
	r->done->has_kernel = true;
	excerpt_close(excerpt);
	return ret;
}

/*
 * Recording and kernel are of two boots: the recorder was not there in the boot that crashed. The
 * copy has the kernel, or the generation that was asked for.
 */
static int choose_boot(struct postmortem *pm, const struct dump_files *files, struct redact_request *r,
		       struct err *err)
{
	u64 number = pm->recording->generation->hdr.number;
	struct choice kernel = r->choice;

	if (kernel.generation != CHOICE_NEWEST) {
		snprintf(r->done->left_out, sizeof(r->done->left_out),
			 "log and stacks of the vmcore, which are of another boot than generation %llu", number);
		return 0;
	}
	snprintf(r->done->left_out, sizeof(r->done->left_out),
		 "generation %llu, which is of another boot than the vmcore's kernel; --generation %llu makes a copy of it",
		 number, number);
	kernel.sources = POSTMORTEM_KERNEL;
	pm_close(pm);
	return chosen_open(pm, files, &kernel, err);
}

/* A copy is made of a region or of a kernel's memory. */
static int refuse_other_source(const struct postmortem *pm, struct err *err)
{
	if (pm->console)
		return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "a text of a console, in which names cannot be told apart; give the region or the vmcore");
	return err_set(err, ERR_NOT_OURS, ERR_NO_OFF, "%s, and its kernel cannot be read", pm->why_no_region);
}

static int redact_opened(struct redact_request *r, struct postmortem *pm, const struct dump_files *files,
			 struct err *err)
{
	bool is_other_boot = pm->is_other_boot || (pm->kernel && !report_lines_same_boot(pm));

	if (is_other_boot && choose_boot(pm, files, r, err))
		return -err->code;
	if (pm->kernel && !(is_other_boot && pm->recording))
		return redact_excerpt(r, pm, err);
	if (!is_other_boot && *pm->why_no_kernel)
		snprintf(r->done->left_out, sizeof(r->done->left_out),
			 "log and stacks of the vmcore (%s)", pm->why_no_kernel);
	if (r->policy.profile)
		report_vmcore_damage(r->done, pm);
	return redact(r->done, pm->recording, r->key, &r->policy, r->fd, err);
}

static int redact_file(const struct dump_files *files, void *arg)
{
	struct redact_request *r = arg;
	struct err err = ERR_INIT;
	struct postmortem pm;
	int status = ERR_OK;

	/* Without a profile, the copy is that of a region. */
	r->choice.sources = r->policy.profile ? POSTMORTEM_ALL : POSTMORTEM_REGION;
	r->choice.keeps_recording = true;
	r->policy.preview = r->out ? NULL : stdout;
	if (chosen_open(&pm, files, &r->choice, &err))
		status = status_fail("redact", &err);
	else if (!pm.recording && !pm.kernel && refuse_other_source(&pm, &err))
		status = status_fail_file("redact", files->path[0], &err);
	else if (redact_opened(r, &pm, files, &err))
		status = status_fail_file("redact", r->out ? r->out : "standard output", &err);
	pm_close(&pm);
	/* A preview is on standard output. */
	return r->out ? status : status_worse(status, status_flush("redact"));
}

int redact_files(struct file_list *files, void *request)
{
	return files_one(files, "redact", redact_file, request);
}
