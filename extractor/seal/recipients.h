/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The public keys that traces are sealed to, in age's own file: docs/seal.md. */
#ifndef EPITAPH_SEAL_RECIPIENTS_H
#define EPITAPH_SEAL_RECIPIENTS_H

#include "base/err.h"

#define RECIPIENTS	"/etc/epitaph/recipients"

#define RECIPIENTS_SIZE	65536	/* bytes of the file, at most */

/**
 * struct recipients - a file that has been checked
 * @nr: keys
 * @text: @size bytes of it, as they were checked; until the next one is read
 * @digest: SHA-256 of the file, in hex
 */
struct recipients {
	unsigned int nr;
	const char *text;
	size_t size;
	char digest[65];
};

/**
 * recipients_read() - check each line
 *
 * Only X25519 keys ("age1...") are taken.  Return: 0; -ERR_IO; -ERR_USAGE: a line is wrong, which
 * the message names, there is no key, or others than root and this user may change the file.
 */
int recipients_read(struct recipients *r, const char *path, struct err *err);

#endif
