/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * DOC: base
 *
 * Bytes, texts, numbers and errors; this room knows no dump and no system call beyond memory.
 *
 * An error means that a call cannot go on. Damage in a recording is no error: it is part of the
 * answer. The caller owns struct err, usually on its stack; these functions allocate nothing, so
 * a lack of memory is reported like any error. Every function that takes an err accepts NULL.
 *
 *	struct err err = ERR_INIT;
 *
 *	if (dump_open(&dump, path, &err))
 *		fprintf(stderr, "%s\n", err.msg);
 */
#ifndef EPITAPH_BASE_ERR_H
#define EPITAPH_BASE_ERR_H

#include "types.h"

enum err_code {			/* also the exit status; see epitaph(1) */
	ERR_OK = 0,
	ERR_DAMAGED = 1,	/* recovered, with damage; no function returns it */
	ERR_USAGE = 2,
	ERR_IO = 3,		/* a system call failed; @errnum is set */
	ERR_NOT_OURS = 4,	/* nothing of the recorder in it */
	ERR_CORRUPT = 5,	/* the recorder's, and unusable; @off says where */
};

#define ERR_NO_OFF	(~0ULL)	/* the error is at no place of the file */

/**
 * struct err - an error
 * @code: the exit status
 * @errnum: errno of the system call for ERR_IO, else 0
 * @off: byte of the file where it was found, or ERR_NO_OFF
 * @msg: one line, printable, without a newline; "" while @code is ERR_OK
 */
struct err {
	enum err_code code;
	int errnum;
	u64 off;
	char msg[512];
};

#define ERR_INIT { .code = ERR_OK, .off = ERR_NO_OFF }

/**
 * err_set() - set an error about the input
 *
 * The message is escaped by escape_text(), so %s takes a string of the file as it is; %.*s where
 * it may lack its terminator.
 *
 * Return: -@code.
 */
__attribute__((format(printf, 4, 5)))
int err_set(struct err *err, enum err_code code, u64 off, const char *fmt, ...);

/**
 * err_sys() - set an error about a failed system call; strerror(errno) is appended
 *
 * Return: -ERR_IO.
 */
__attribute__((format(printf, 2, 3)))
int err_sys(struct err *err, const char *fmt, ...);

/**
 * err_while() - put a context in front of the message: "dump.core: nr_rings is 9"
 *
 * Return: -@err->code; -ERR_CORRUPT if @err is NULL.
 */
__attribute__((format(printf, 2, 3)))
int err_while(struct err *err, const char *fmt, ...);

#endif
