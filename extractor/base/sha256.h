/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 of bytes, as hex digits. */
#ifndef EPITAPH_BASE_SHA256_H
#define EPITAPH_BASE_SHA256_H

#include <nettle/sha2.h>

#include "err.h"

#define DIGEST_TEXT	65	/* 64 hex digits and the zero */

/* Of @size bytes, as text. */
void digest_text(char ret[DIGEST_TEXT], const void *data, size_t size);

/* Ends the sum @ctx, as text. */
void digest_end(char ret[DIGEST_TEXT], struct sha256_ctx *ctx);

/* Of a file, read from its beginning; *@ret_size: how many bytes that were. */
int digest_file(char ret[DIGEST_TEXT], int fd, u64 *ret_size, struct err *err);

/* 64 hex digits, in small letters? */
bool digest_is_text(const char *text);

#endif
