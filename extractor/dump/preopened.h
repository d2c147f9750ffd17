/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Files that are opened before the process, or its child, enters the sandbox. dump_open() of the
 * same path uses them.
 */
#ifndef EPITAPH_DUMP_PREOPENED_H
#define EPITAPH_DUMP_PREOPENED_H

#include "base/err.h"

/**
 * struct preopened - a file
 * @path: owned by the caller
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
 * A stream is copied to $TMPDIR now. The error of a file that cannot be opened is returned by
 * dump_open(). Return: 0; -ERR_IO without memory.
 */
int preopened_open(char *const *paths, size_t nr, struct err *err);

/* Bytes of all; 0: one of them is no plain file. */
u64 preopened_size(void);

/* NULL: @path was not opened ahead. */
const struct preopened *preopened_find(const char *path);

/* Descriptors of the directories among them. Return: how many, at most @max. */
size_t preopened_dirs(int *dirs, size_t max);

#endif
