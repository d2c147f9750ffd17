/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The head of an event's format text: name, ID and the declarations of the fields. */
#ifndef EPITAPH_EVENT_FORMAT_HEADER_H
#define EPITAPH_EVENT_FORMAT_HEADER_H

#include "field_layout.h"
#include "format_lexer.h"

enum format_header_result {
	FORMAT_HEADER_GOOD,
	FORMAT_HEADER_BROKEN,		/* no kernel writes this, or no memory */
	FORMAT_HEADER_IMPOSSIBLE,	/* a field lies where no event has it */
};

/**
 * format_header_read() - the fields that a format text declares
 * @layout: for format_header_free(), but not of a bad head
 * @system: of the event
 * @text: terminated
 * @long_size: bytes of a long of the machine that recorded
 * @ret_print: behind "print fmt:"
 */
enum format_header_result format_header_read(struct layout *layout, const char *system,
					     const char *text, u32 long_size,
					     struct token *ret_print);

void format_header_free(struct layout *layout);

#endif
