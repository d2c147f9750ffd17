/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The mark beside a trace: where it is as well.  A line: TARGET DIGEST FILES BYTES TIME [within NAME]. */
#ifndef EPITAPH_SPOOL_SENT_H
#define EPITAPH_SPOOL_SENT_H

#include "manifest.h"

#define SENT_FILE	"sent"

/* Has what is in @dir now been sent to @target?  Nothing but the mark is read. */
bool sent_is(int dir, const char *target);

/* It has been, or was there; on disk afterwards, and what was sent elsewhere stays marked. */
int sent_mark(int dir, const char *target, const struct manifest *m,
	      const struct placed *placed, struct err *err);

#endif
