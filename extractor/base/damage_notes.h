/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is wrong with a trace, in words.  Damage is part of the answer, not an
 * error; each thing is told once, with its place.
 */
#ifndef EPITAPH_BASE_DAMAGE_NOTES_H
#define EPITAPH_BASE_DAMAGE_NOTES_H

#include "types.h"

#define NOTES_MAX	100	/* kept; the rest is counted */
#define NOTE_NOWHERE	(~0ULL)

/**
 * struct note - one thing
 * @off: byte of the region, or NOTE_NOWHERE
 * @text: printable
 */
struct note {
	u64 off;
	char text[200];
};

/**
 * struct damage_notes - all of them; zeroed to begin with
 * @nr: how many there were
 * @kept: of these in @list: up to NOTES_MAX, fewer if there was no memory
 */
struct damage_notes {
	struct note *list;
	u64 nr;
	u64 kept;
};

/* Takes no text of the file that is not terminated; escapes what it takes. */
__attribute__((format(printf, 3, 4)))
void damage_notes_add(struct damage_notes *notes, u64 off, const char *fmt, ...);

void damage_notes_free(struct damage_notes *notes);

#endif
