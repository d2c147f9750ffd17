/* SPDX-License-Identifier: GPL-2.0-or-later */
/**
 * DOC: report - a postmortem as text and JSON for people
 *
 * "epitaph report" prints in this order, each part as soon as it is known:
 *
 *	print_head(f, &pm);			after pm_open()
 *	print_end(f, &pm, monotonic, why, &err);	after pm_scan(), as all that follows
 *	print_others(f, &pm);
 *	print_summary(f, &pm, &window);
 *	print_events(f, &pm, &window, monotonic, &err);
 *	print_cpus(f, &pm);
 *	print_debuginfo_notes(f, &pm);
 *
 * Lines that are no events begin with "# ". All texts from a file are escaped. The caller owns the
 * stream and looks for write errors when all is printed.
 */
#ifndef EPITAPH_REPORT_REPORT_H
#define EPITAPH_REPORT_REPORT_H

#include <stdio.h>

#include "timeline/window.h"
#include "event_text.h"

/* Which kernel it is. It needs no pm_scan(), so that the user sees something at once. */
void print_head(FILE *f, const struct postmortem *pm);

/* What the kernel died of, and what the times count from; @why: one sentence, "": not known. */
int print_end(FILE *f, struct postmortem *pm, bool monotonic, const char *why, struct err *err);

/*
 * A line for each other generation, and for generations that were overwritten before they were
 * harvested. @pm has a recording.
 */
void print_others(FILE *f, const struct postmortem *pm);

/* What there is, what @window shows of it (NULL: that is said elsewhere), and what is damaged. */
void print_summary(FILE *f, const struct postmortem *pm, const struct window *window);

/* A line for each event that has a filter at the end. @pm has a recording. */
void print_filters(FILE *f, const struct postmortem *pm);

/* The events of @window, with marks and the crash at their times. */
int print_events(FILE *f, struct postmortem *pm, const struct window *window,
		 bool monotonic, struct err *err);

enum line_kind {
	LINE_EVENT,
	LINE_LOST,		/* before @item */
	LINE_DAMAGED,
	LINE_UNFINISHED,
	LINE_MARK,
	LINE_END,		/* the mark of an orderly end */
	LINE_CRASH,
	LINE_GAP,		/* a virtual CPU was not run */
};

struct joint_guest;
struct vcpu_wait;

/**
 * struct line - what a printed line is about; an item may have two lines
 * @item: NULL: it is a gap
 * @guest: whose it is; NULL: the file's own kernel's
 * @wait: the gap, of @kind LINE_GAP
 */
struct line {
	enum line_kind kind;
	const struct item *item;
	const struct joint_guest *guest;
	const struct vcpu_wait *wait;
};

/* A line of which a watch has task, CPU and time itself begins with this, and what comes behind them. */
#define LINE_WITHOUT_HEAD	'\t'

/**
 * struct line_watch - hears of each line
 * @on_line: is called for each line when it is written
 * @has_head: NULL, or is asked before the line of an event that has no marks, and of which times
 *	count from the end: are its task, its CPU and its time known without the line?
 * @wants_no_text: it may change at each line: the text of lines is not needed for now
 */
struct line_watch {
	void (*on_line)(struct line_watch *watch, const struct line *line);
	bool (*has_head)(struct line_watch *watch, const struct item *item);
	bool wants_no_text;
};

/* print_events() with a watch. */
int print_lines(FILE *f, struct postmortem *pm, const struct window *window,
		struct line_watch *watch, struct err *err);

/* Prints the items of a running kernel one by one; times are CLOCK_MONOTONIC. */
struct printer;

int printer_new(struct printer **ret, FILE *f, struct postmortem *pm, struct err *err);
void printer_item(struct printer *printer, const struct item *item);

/**
 * struct printer_place - for items of one of several kernels
 * @where: stands before each line
 * @end: times count from here
 * @guest: whose they are; NULL: the host's
 * @watch: may be NULL
 */
struct printer_place {
	const char *where;
	u64 end;
	bool monotonic;
	const struct joint_guest *guest;
	struct line_watch *watch;
};

void printer_set_place(struct printer *printer, const struct printer_place *place);

/* The line of a gap, where it ends. */
void printer_gap(struct printer *printer, const struct vcpu_wait *wait);

/* @printer may be NULL. */
void printer_free(struct printer *printer);

/* What each CPU was doing when it was stopped. @pm has a recording. */
void print_cpus(FILE *f, const struct postmortem *pm);

/* Modules without debuginfo; it is known only when everything else has been printed. */
void print_debuginfo_notes(FILE *f, const struct postmortem *pm);

/* All of it as lines of JSON; docs/json.md describes the keys. */
int print_json(FILE *f, struct postmortem *pm, const struct window *window,
	       struct err *err);

/* The same of a running kernel: the first line, and a line for an item. */
void print_json_live(FILE *f, const struct postmortem *pm);
void print_json_item(FILE *f, const struct postmortem *pm, const struct item *item);

#endif
