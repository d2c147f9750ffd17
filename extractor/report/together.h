/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A host and its guests on one timeline, as text and as JSON. */
#ifndef EPITAPH_REPORT_TOGETHER_H
#define EPITAPH_REPORT_TOGETHER_H

#include "timeline/joint_window.h"
#include "report.h"

/*
 * What is known of the guests, and the events of all of them; the other, as lines of JSON.
 * @window: as asked for, not chosen
 */
int print_together_json(FILE *f, struct joint *joint, const struct window *window, struct err *err);
int print_together(FILE *f, struct joint *joint, const struct window *window, bool monotonic, struct err *err);

/*
 * The two parts of it, for a window that is chosen: what is known of the guests; and the lines, which use
 * up @window.
 * @watch: may be NULL
 */
void print_together_head(FILE *f, struct joint *joint, const struct joint_window *window);
int print_together_lines(FILE *f, struct joint *joint, struct joint_window *window, bool monotonic,
			 struct line_watch *watch, struct err *err);

#endif
