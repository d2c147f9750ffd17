/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a command says on stderr of a postmortem that it printed. */
#ifndef EPITAPH_READING_VERDICT_H
#define EPITAPH_READING_VERDICT_H

#include "timeline/joint.h"
#include "timeline/window.h"

/* Adds what the container lacks to what is noted. */
void verdict_note_container(struct postmortem *pm);

/* The same, also where only what nothing was read of is cut off. */
void verdict_note_all(struct postmortem *pm);

/* Prints why @window of @pm shows nothing. Return: 0 or -ERR_. */
int verdict_of_window(const char *name, const char *path, struct postmortem *pm,
		      const struct window *window, struct err *err);

/* The same of a host and its guests, if none of them has such an event. @asked: not chosen */
int verdict_of_joint_window(const char *name, const char *path, struct joint *joint, const struct window *asked,
			    struct err *err);

/* Prints damage and loss of @pm. Return: the exit status. */
int verdict_of_postmortem(const struct postmortem *pm, const char *name, const char *path);

/* The same of guests beside a host, which has @status: what is left out of one counts as damage. */
int verdict_of_joint(const struct joint *joint, const char *name, int status);

#endif
