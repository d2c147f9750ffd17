/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Traces in the formats of other tools; docs/exports.md.
 *
 * Each writes the events of a window whose choice is made, out of an account
 * that is scanned.  Return: 0 or an error; whatever has been written by then is
 * the caller's to remove.
 */
#ifndef EPITAPH_EXPORT_EXPORT_H
#define EPITAPH_EXPORT_EXPORT_H

#include <stdio.h>

#include "timeline/joint.h"
#include "timeline/window.h"

struct finding;

/* A directory that is empty and stays open; files are made in it. */
int export_ctf(int dir, struct postmortem *pm, const struct window *window, struct err *err);

/*
 * The same of what is still recorded: after each flush the directory is a trace of
 * what was given until then.
 * @offset: UTC less CLOCK_MONOTONIC, ns; 0: not known
 */
struct ctf_growing;

/* ctf_growing_close() is needed afterwards in any case, with what @ret was set to; NULL is fine. */
int ctf_growing_open(struct ctf_growing **ret, int dir, struct postmortem *pm, u64 offset,
		     struct err *err);
int ctf_growing_entry(struct ctf_growing *ctf, const struct item *item, struct err *err);
int ctf_growing_flush(struct ctf_growing *ctf, struct err *err);
void ctf_growing_close(struct ctf_growing *ctf);

/* A new file, which can be written to at any place. */
int export_trace_dat(FILE *f, struct postmortem *pm, const struct window *window,
		     struct err *err);

/* Protobuf of Perfetto's schema; docs/perfetto.md. */
int export_perfetto(FILE *f, struct postmortem *pm, const struct window *window,
		    struct err *err);

/* The same with guests, each CPU of them below the host's thread that runs it; @window is not chosen. */
int export_perfetto_joint(FILE *f, struct joint *joint, const struct window *window, struct err *err);

/* One page that needs nothing else, with @finding on top; docs/html.md. */
int export_html(FILE *f, struct postmortem *pm, const struct window *window,
		const struct finding *finding, struct err *err);

/* The same with guests: lanes of each below those of its host; @window is not chosen. */
int export_html_joint(FILE *f, struct joint *joint, const struct window *window,
		      const struct finding *finding, struct err *err);

#endif
