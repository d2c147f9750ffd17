/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph export" does with its FILE. */
#ifndef EPITAPH_EXPORT_EXPORT_FILES_H
#define EPITAPH_EXPORT_EXPORT_FILES_H

#include "os/new_file_or_dir.h"
#include "reading/choice.h"
#include "reading/reading.h"

struct postmortem;
struct window;

/**
 * struct export_target - a format that is written
 * @to_file: into one file; NULL: @to_dir
 * @to_dir: into several, in a directory
 * @seeks: not from the first byte to the last, so that a pipe will not do
 */
struct export_target {
	const char *name;
	int (*to_file)(FILE *f, struct postmortem *pm, const struct window *window,
		       struct err *err);
	int (*to_dir)(int dir, struct postmortem *pm, const struct window *window,
		      struct err *err);
	bool seeks;
};

/* Ended by one without a name. */
extern const struct export_target export_targets[];

/**
 * struct export_request - where to and what
 * @choice: without --last and the like: all events
 * @out: open, a directory or a file as @target wants it
 */
struct export_request {
	struct choice choice;
	const struct export_target *target;
	struct output out;
};

/* For reading.run, with a struct export_request: writes the one FILE. */
int export_files(struct file_list *files, void *request);

#endif
