/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head of an event's format text: "name:", "ID:" and the fields.
 */
#ifndef EPITAPH_EVENT_FORMAT_HEADER_H
#define EPITAPH_EVENT_FORMAT_HEADER_H

#include "format_lexer.h"

#define FORMAT_MAX_FIELDS	320

/* What the fields are called, in the text. */
struct format_fields {
	struct token names[FORMAT_MAX_FIELDS];
	u32 nr;
};

/**
 * format_fields_read() - is the head one that a kernel writes?
 * @text: terminated
 * @ret_print: what stands behind "print fmt:"
 */
bool format_fields_read(struct format_fields *fields, const char *text, struct token *ret_print);

bool format_fields_have(const struct format_fields *fields, const struct token *name);

#endif
