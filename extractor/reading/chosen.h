/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A choice as the timeline takes it. */
#ifndef EPITAPH_READING_CHOSEN_H
#define EPITAPH_READING_CHOSEN_H

#include "timeline/window.h"
#include "choice.h"

struct window chosen_window(const struct choice *choice);

/* pm_open() of what is chosen. */
int chosen_open(struct postmortem *pm, const struct dump_files *files,
		const struct choice *choice, struct err *err);

#endif
