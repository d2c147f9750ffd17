/* SPDX-License-Identifier: GPL-2.0-or-later */
/* SHA-256 of bytes, with a key or without, and its digits. */
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

/**
 * struct secret - what two sides share
 * @size: bytes; 0: there is none
 */
struct secret {
	size_t size;
	u8 bytes[4096];
};

/* A file of 16 bytes or more that not everybody can read; a newline at its end is none of them. */
int secret_read(struct secret *secret, const char *path, struct err *err);

/* HMAC of @text, which is whole; "-" without a secret. */
void secret_mac(char ret[DIGEST_TEXT], const struct secret *secret, const char *text);

/* Is @mac that of @text?  In the same time, whatever differs. */
bool secret_agrees(const struct secret *secret, const char *text, const char *mac);

/* 32 random bytes, as text. */
int digest_nonce(char ret[DIGEST_TEXT], struct err *err);

#endif
