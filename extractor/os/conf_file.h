/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of NAME=value, as /etc/epitaph has them; quotes around a value are taken away, # begins a comment. */
#ifndef EPITAPH_OS_CONF_FILE_H
#define EPITAPH_OS_CONF_FILE_H

#include "base/err.h"

/**
 * conf_file_read() - all lines of a file
 * @must_be: it is an error if there is no such file
 * @room: of @size bytes; values lie in it
 * @take: called for each; what is wrong with it in words, or NULL
 *
 * Return: 0; -ERR_IO; -ERR_USAGE: which line and why.
 */
int conf_file_read(const char *path, bool must_be, char *room, size_t size,
		   const char *(*take)(void *arg, const char *name, char *value), void *arg,
		   struct err *err);

/* What @take says of a name that it does not know. */
#define SETTINGS_UNKNOWN	"no such setting"

/* "512M", "8G": bytes. */
bool conf_file_size(const char *text, u64 *ret);

#endif
