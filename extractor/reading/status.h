/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Exit statuses, and the errors of a command on stderr. */
#ifndef EPITAPH_READING_STATUS_H
#define EPITAPH_READING_STATUS_H

#include "base/err.h"

/* Prints the error to stderr, after "epitaph NAME: ", and gives the exit status. */
int status_fail(const char *name, const struct err *err);

/* The same for an error that does not name its file yet. */
int status_fail_file(const char *name, const char *path, struct err *err);

/* Flushes stdout. Return: ERR_OK, or ERR_IO after a message if a write to stdout failed. */
int status_flush(const char *name);

/* The worse of two exit statuses. */
static inline int status_worse(int a, int b)
{
	return a > b ? a : b;
}

#endif
