/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Marker file in the directory of a capture: a line for each target that already holds it.
 * TARGET ARCHIVE FILES BYTES TIME; FILES and BYTES are those that were sent.
 */
#ifndef EPITAPH_SPOOL_SENT_MARKER_H
#define EPITAPH_SPOOL_SENT_MARKER_H

#include "manifest.h"

#define SENT_FILE	"sent"

/**
 * sent_marker_has() - does @target hold all of @dir, by the marker?
 *
 * The region alone is enough: its texts are made of it.
 */
bool sent_marker_has(int dir, const char *target);

/*
 * Adds or replaces the line of @target; it is on disk afterwards. Where there is no room for it, texts
 * go that can be made of the region again.
 */
int sent_marker_add(int dir, const char *target, const char *archive, const struct manifest *m,
	      struct err *err);

#endif
