/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The longer texts of the man pages; the tool itself does not contain them. */
#ifndef EPITAPH_DESCRIPTION_H
#define EPITAPH_DESCRIPTION_H

/*
 * Texts have a markup of their own: `x` is typed as it stands, a blank line ends a paragraph, lines
 * indented by four blanks are set as they are, and "NAME | text" is an entry of a list.
 */

/* DESCRIPTION of the page of @command; never NULL for a command of the table. */
const char *description_of(const char *command);

/* Sections of epitaph(1), ended by an entry without a title. */
extern const struct description_section {
	const char *title;
	const char *text;
} description_main[];

#endif
