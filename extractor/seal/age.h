/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The program age, which encrypts and decrypts, and the head of its files: docs/seal.md. */
#ifndef EPITAPH_SEAL_AGE_H
#define EPITAPH_SEAL_AGE_H

#include "recipients.h"

#define AGE_SECONDS	45	/* that it may take to encrypt */

/* age_is_there() - can the program be found in PATH? */
bool age_is_there(void);

/**
 * age_encrypt() - to the keys that have been checked, whatever their file has become since
 * @in: descriptor, from its beginning to its end
 * @out: of a new file
 *
 * The head of the result is read back: it has a stanza for each key.
 * Return: 0; -ERR_IO.
 */
int age_encrypt(int in, int out, const struct recipients *keys, struct err *err);

/**
 * age_decrypt() - with the private key of a file
 * @path: of the sealed file
 * @identity: "-": standard input
 * @out: of a new file
 *
 * Return: 0; -ERR_IO; -ERR_USAGE: the key does not open it; -ERR_NOT_OURS: no file of age;
 * -ERR_CORRUPT: cut off or damaged, and what is in @out must not be used.
 */
int age_decrypt(const char *path, const char *identity, int out, struct err *err);

/**
 * age_count_recipients() - how many keys open the file
 *
 * Return: -ERR_NOT_OURS: no file of age; -ERR_CORRUPT: its head is cut off.
 */
int age_count_recipients(int fd, struct err *err);

/* age_is_whole() - does @fd have all of @plain bytes, for @nr keys, by what its head and its size say? */
bool age_is_whole(int fd, u64 plain, unsigned int nr);

#endif
