/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A choice as the timeline takes it. */
#ifndef EPITAPH_READING_CHOSEN_H
#define EPITAPH_READING_CHOSEN_H

#include "timeline/joint.h"
#include "timeline/window.h"
#include "choice.h"

struct window chosen_window(const struct choice *choice);

/* pm_open() of what is chosen. */
int chosen_open(struct postmortem *pm, const struct dump_files *files,
		const struct choice *choice, struct err *err);

/*
 * chosen_joint() - the guests that are chosen, on the timeline of @pm
 * @pm: scanned
 * @ret: for chosen_joint_close(), also on failure
 *
 * Return: as joint_open().
 */
int chosen_joint(struct joint **ret, struct postmortem *pm, const struct dump_files *files,
		 const struct choice *choice, struct err *err);
void chosen_joint_close(struct joint *joint);

#endif
