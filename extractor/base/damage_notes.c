// SPDX-License-Identifier: GPL-2.0-or-later
#include "damage_notes.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "escape.h"

void damage_notes_add(struct damage_notes *notes, u64 off, const char *fmt, ...)
{
	struct note *note;
	char text[400];
	va_list ap;

	if (!notes->list)
		notes->list = calloc(NOTES_MAX, sizeof(*notes->list));
	notes->nr++;
	if (notes->kept == NOTES_MAX || !notes->list)
		return;
	note = &notes->list[notes->kept++];
	note->off = off;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	escape_text(note->text, sizeof(note->text), text, strlen(text));
}

void damage_notes_free(struct damage_notes *notes)
{
	free(notes->list);
	memset(notes, 0, sizeof(*notes));
}
