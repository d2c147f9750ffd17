/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An error is "I cannot go on".  Damage in a trace is not an error: it is part
 * of the answer.
 *
 * The caller owns struct err, usually on its stack; nothing here allocates, so
 * an error about memory can be told like any other.  Every function that takes
 * one accepts NULL.
 */
#ifndef EPITAPH_BASE_ERR_H
#define EPITAPH_BASE_ERR_H

#include "types.h"

enum err_code {			/* also the exit status; see epitaph(1) */
	ERR_OK = 0,
	ERR_DAMAGED = 1,	/* recovered, with damage; no function returns it */
	ERR_USAGE = 2,
	ERR_IO = 3,		/* a system call failed; @errnum is set */
	ERR_NOT_OURS = 4,	/* nothing of ours in it */
	ERR_CORRUPT = 5,	/* ours, and unusable; @off says where */
};

#define ERR_NO_OFF	(~0ULL)	/* the error is at no place of the file */

/**
 * struct err - what went wrong, in words
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
 * err_set() - say what is wrong with the input
 *
 * The words are escaped as escape_text() does, so a string from the file may be
 * given to %s as it is; %.*s where it may lack its terminator.
 *
 * Return: -@code, so that one line says it and returns it.
 */
__attribute__((format(printf, 4, 5)))
int err_set(struct err *err, enum err_code code, u64 off, const char *fmt, ...);

/**
 * err_sys() - say which system call failed, with errno's words
 *
 * Return: -ERR_IO.
 */
__attribute__((format(printf, 2, 3)))
int err_sys(struct err *err, const char *fmt, ...);

/**
 * err_while() - put what was being done in front: "dump.core: nr_rings is 9"
 *
 * Return: -@err->code; -ERR_CORRUPT without an err to ask.
 */
__attribute__((format(printf, 2, 3)))
int err_while(struct err *err, const char *fmt, ...);

#endif
