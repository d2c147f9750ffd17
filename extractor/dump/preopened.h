/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that were opened ahead: by a process that then locks itself in, or
 * whose child does.  dump_open() of the same path gets what is here.
 */
#ifndef EPITAPH_DUMP_PREOPENED_H
#define EPITAPH_DUMP_PREOPENED_H

#include "base/err.h"

/**
 * struct preopened - one
 * @path: the caller's
 * @fd: can seek, or is a directory; -1: @err says why not
 */
struct preopened {
	const char *path;
	int fd;
	bool is_dir;
	struct err err;
};

/**
 * preopened_open() - open all, and close those of the call before
 *
 * What cannot seek is copied to $TMPDIR now.  A file that cannot be opened is
 * told when it is asked for.  Return: 0; -ERR_IO without memory.
 */
int preopened_open(char *const *paths, size_t nr, struct err *err);

/* What became of @path; NULL: it was not opened ahead. */
const struct preopened *preopened_find(const char *path);

/* Descriptors of the directories among them; the number, at most @max. */
size_t preopened_dirs(int *dirs, size_t max);

#endif
