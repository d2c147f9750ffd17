/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that were opened ahead: by a process that then locks itself in, or
 * whose child does.  input_open() of the same path gets what is here.
 */
#ifndef EPITAPH_DUMP_PREOPENED_H
#define EPITAPH_DUMP_PREOPENED_H

#include "base/err.h"

/**
 * struct ahead - one
 * @path: the caller's
 * @fd: can seek, or is a directory; -1: @err says why not
 */
struct ahead {
	const char *path;
	int fd;
	bool is_dir;
	struct err err;
};

/**
 * ahead_open() - open all, and close those of the call before
 *
 * What cannot seek is copied to $TMPDIR now.  A file that cannot be opened is
 * told when it is asked for.  Return: 0; -ERR_IO without memory.
 */
int ahead_open(char *const *paths, size_t nr, struct err *err);

/* What became of @path; NULL: it was not opened ahead. */
const struct ahead *ahead_find(const char *path);

/* Descriptors of the directories among them; the number, at most @max. */
size_t ahead_dirs(int *dirs, size_t max);

#endif
