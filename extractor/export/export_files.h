/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What "epitaph export" does with its FILE. */
#ifndef EPITAPH_EXPORT_EXPORT_FILES_H
#define EPITAPH_EXPORT_EXPORT_FILES_H

#include "os/new_file_or_dir.h"
#include "reading/choice.h"
#include "reading/reading.h"

struct finding;
struct joint;
struct postmortem;
struct window;

/**
 * struct export_target - a format that is written
 * @to_file: into one file; of the three one is not NULL
 * @to_dir: into several, in a directory
 * @to_page: into one file, which says why it died as well
 * @joint_to_file, @joint_to_page: the same of a host with its guests; if both are NULL, there is no place for them
 * @by_turns: several processes can write it
 * @seeks: not from the first byte to the last, so that a pipe will not do
 */
struct export_target {
	const char *name;
	int (*to_file)(FILE *f, struct postmortem *pm, const struct window *window,
		       struct err *err);
	int (*to_dir)(int dir, struct postmortem *pm, const struct window *window,
		      struct err *err);
	int (*to_page)(FILE *f, struct postmortem *pm, const struct window *window,
		       const struct finding *finding, struct err *err);
	bool seeks;
	int (*joint_to_file)(FILE *f, struct joint *joint, const struct window *window, struct err *err);
	int (*joint_to_page)(FILE *f, struct joint *joint, const struct window *window,
			     const struct finding *finding, struct err *err);
	bool by_turns;
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
