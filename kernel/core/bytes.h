/* SPDX-License-Identifier: GPL-2.0-only */
/* Numbers of bytes in words of people. */
#ifndef EPITAPH_CORE_BYTES_H
#define EPITAPH_CORE_BYTES_H

#include <epitaph/plat.h>

/**
 * epitaph_bytes_parse() - as memparse(), which takes a number of 2^64 or more for another one
 * @text: as "16M", "0x20000" or "4k": K, M, G, T, P and E are powers of 1024
 * @end: what follows the number; @text if there is none
 * @bytes: unchanged on errors
 *
 * Return: 0; -EINVAL: it begins with no number; -ERANGE: 2^64 or more.
 */
int epitaph_bytes_parse(const char *text, const char **end, u64 *bytes);

/* As epitaph_bytes_parse(), of a text that is no more than the number. */
int epitaph_bytes_only(const char *text, u64 *bytes);

#endif /* EPITAPH_CORE_BYTES_H */
