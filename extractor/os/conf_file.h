/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files of lines NAME=value, as in /etc/epitaph. Quotes around a value are removed; a line that
 * begins with # is a comment.
 */
#ifndef EPITAPH_OS_CONF_FILE_H
#define EPITAPH_OS_CONF_FILE_H

#include "base/err.h"

/**
 * conf_file_read() - call @take for each line of a file
 * @must_be: a missing file is an error
 * @room: @size bytes, which hold the values
 * @take: returns an error message, or NULL
 *
 * Return: 0; -ERR_IO; -ERR_USAGE: which line and why.
 */
int conf_file_read(const char *path, bool must_be, char *room, size_t size,
		   const char *(*take)(void *arg, const char *name, char *value), void *arg,
		   struct err *err);

/* The message of @take for an unknown name. */
#define SETTINGS_UNKNOWN	"no such setting"

/* "512M", "8G": bytes. */
bool conf_file_size(const char *text, u64 *ret);

#endif
