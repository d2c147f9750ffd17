/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Bytes of an input into a new file, and new files into their place. */
#ifndef EPITAPH_DUMP_COPY_H
#define EPITAPH_DUMP_COPY_H

#include "dump.h"

/**
 * struct copy - one under way
 * @start: where in @in
 * @fd: of the file, which is empty
 * @name: of it, for messages
 * @missing: bytes that the input has not got; zeroes in the copy
 */
struct copy {
	struct dump *in;
	u64 start;
	u64 size;
	int fd;
	const char *name;
	u64 missing;
};

/* copy_all() - holes stay holes; the file is @size bytes long afterwards */
int copy_all(struct copy *copy, struct err *err);

/* copy_bytes() - @size bytes at @off of a file or device; pieces of zeroes stay holes */
int copy_bytes(int from, u64 off, u64 size, int to, struct err *err);

/* copy_same() - 1: the files have the same bytes; 0: not; < 0: -ERR_IO */
int copy_same(int a, int b, struct err *err);

/* A new file, for its owner to read, and not through a link. */
int copy_create(int dir, const char *name, struct err *err);

/**
 * copy_place() - give a file or directory its name
 *
 * Never over what is there: then errnum of @err is EEXIST.  @dir is synced.
 */
int copy_place(int dir, const char *from, const char *to, struct err *err);

/* A directory of the owner's alone, made if it is not there: its descriptor. */
int copy_open_dir(int at, const char *path, struct err *err);

#endif
