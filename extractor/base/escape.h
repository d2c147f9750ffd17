/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Text out of a hostile file, made safe to print. */
#ifndef EPITAPH_BASE_ESCAPE_H
#define EPITAPH_BASE_ESCAPE_H

#include "types.h"

/**
 * escape_text() - copy text so that a terminal survives it
 * @dst: terminated, if @size is not 0
 * @size: room at @dst
 * @src: need not be terminated
 * @len: bytes at @src
 *
 * C0, C1, DEL, the backslash, bidi controls, line separators and bytes that are no UTF-8 become
 * \xHH, byte by byte. Cut between characters where @dst is too small.
 *
 * Return: bytes written, without the terminator.
 */
size_t escape_text(char *dst, size_t size, const void *src, size_t len);

/* How many bytes at the beginning escape_text() copies unchanged: printable ASCII. */
size_t escape_plain(const void *text, size_t len);

/* As escape_plain(), up to the first double quote. */
size_t escape_plain_unquoted(const void *text, size_t len);

#endif
