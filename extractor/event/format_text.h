/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What of an event's format text libtraceevent may be given.
 *
 * The library's parser follows what a kernel writes, and dies of much that none
 * does.  So it is given what is in the language of kernels' formats, as far as
 * the library knows that language, and nothing else.
 */
#ifndef EPITAPH_EVENT_FORMAT_TEXT_H
#define EPITAPH_EVENT_FORMAT_TEXT_H

#include "base/types.h"
#include "format_lexer.h"

/*
 * What the library makes of a print format.
 * @off: where it begins in the text
 * @is_known: it is in the text that the library is given; otherwise that has ""
 * @is_plain: no operator is in the operand of another one, where the library does not follow C
 */
struct format_print {
	size_t off;
	bool is_known;
	bool is_plain;
};

/**
 * format_text_copy() - a text for the library
 * @text: terminated
 * @long_size: bytes of a long of the machine that recorded
 *
 * Return: from malloc(); NULL: no kernel wrote this, or without memory
 */
char *format_text_copy(const char *text, u32 long_size, struct format_print *ret_print);

struct format_fields;

/*
 * Is what stands from @token on a print format that the library knows, and a plain one?  Each
 * sizeof() of a type is overwritten with its number, which the library gets
 * wrong, so @token is in memory that may be written to.
 */
struct format_print format_print_read(struct token token, const struct format_fields *fields,
				      u32 long_size);

#endif
