/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Notes of damage in a recording. Damage is part of the answer, not an error; each is noted
 * once, with its place.
 */
#ifndef EPITAPH_BASE_DAMAGE_NOTES_H
#define EPITAPH_BASE_DAMAGE_NOTES_H

#include "types.h"

#define NOTES_MAX	100	/* kept; the rest is counted */
#define NOTE_NOWHERE	(~0ULL)

/**
 * struct note - one damage
 * @off: byte of the region, or NOTE_NOWHERE
 * @text: escaped
 */
struct note {
	u64 off;
	char text[200];
};

/**
 * struct damage_notes - all notes; zeroed at first, damage_notes_free() is needed afterwards
 * @nr: how many damages there are
 * @kept: how many of them are in @list: NOTES_MAX at most, fewer without memory
 */
struct damage_notes {
	struct note *list;
	u64 nr;
	u64 kept;
};

/* Strings of the file must be terminated; the note is escaped. */
__attribute__((format(printf, 3, 4)))
void damage_notes_add(struct damage_notes *notes, u64 off, const char *fmt, ...);

void damage_notes_free(struct damage_notes *notes);

#endif
