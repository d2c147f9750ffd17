/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A trace, printed. */
#ifndef EPITAPH_REPORT_REPORT_H
#define EPITAPH_REPORT_REPORT_H

#include <stdio.h>

#include "timeline/window.h"
#include "event_text.h"

/**
 * print_head() - of which kernel it is
 *
 * Before the rings have been looked at, so that something is to be seen at once.
 */
void print_head(FILE *f, const struct postmortem *pm);

/* print_end() - what it died of, and what times count from; after pm_scan() */
int print_end(FILE *f, struct postmortem *pm, bool monotonic, struct err *err);

/*
 * print_others() - a line for each other generation; what was overwritten before it was
 * read; of an account with a trace
 */
void print_others(FILE *f, const struct postmortem *pm);

/* print_summary() - what there is, what is shown, what is wrong; after both */
void print_summary(FILE *f, const struct postmortem *pm, const struct window *window);

/* print_filters() - events that are filtered to the end; of an account with a trace */
void print_filters(FILE *f, const struct postmortem *pm);

/* print_events() - the events of @window, with marks and the crash at their times */
int print_events(FILE *f, struct postmortem *pm, const struct window *window,
		 bool monotonic, struct err *err);

enum line_kind {
	LINE_EVENT,
	LINE_LOST,		/* before @item */
	LINE_DAMAGED,
	LINE_UNFINISHED,
	LINE_MARK,
	LINE_END,		/* a mark that says so */
	LINE_CRASH,
};

/**
 * struct line - what a line of events is about
 * @item: NULL for marks and the crash
 * @cpu: NO_CPU: none, or unknown
 */
struct line {
	enum line_kind kind;
	u64 time;
	u32 cpu;
	const struct item *item;
};

/* Whoever wants to know is told of each line when it is written. */
struct line_watch {
	void (*told)(struct line_watch *watch, const struct line *line);
};

/* print_lines() - print_events(), watched */
int print_lines(FILE *f, struct postmortem *pm, const struct window *window,
		struct line_watch *watch, struct err *err);

/* Line by line, of what is still recorded; times are CLOCK_MONOTONIC. */
struct printer;

int printer_new(struct printer **ret, FILE *f, struct postmortem *pm, struct err *err);
void printer_entry(struct printer *printer, const struct item *item);
void printer_mark(struct printer *printer, const struct recording_mark *mark);
/* NULL is fine. */
void printer_free(struct printer *printer);

/* print_cpus() - what each CPU was doing when it was stopped; of an account with a trace */
void print_cpus(FILE *f, const struct postmortem *pm);

/* print_debuginfo_notes() - modules without debuginfo, once everything else has been printed */
void print_debuginfo_notes(FILE *f, const struct postmortem *pm);

/* print_json() - the same as lines of JSON; docs/json.md */
int print_json(FILE *f, struct postmortem *pm, const struct window *window,
	       struct err *err);

/* The same, line by line, of what is still recorded. */
void print_json_live(FILE *f, const struct postmortem *pm);
void print_json_entry(FILE *f, const struct postmortem *pm, const struct item *item);

#endif
