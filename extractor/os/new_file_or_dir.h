/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The output of an export: a new file or directory, never one that exists and never through a
 * link.
 */
#ifndef EPITAPH_OS_NEW_FILE_OR_DIR_H
#define EPITAPH_OS_NEW_FILE_OR_DIR_H

#include <stdio.h>

#include "base/err.h"

/**
 * struct output - an output; output_finish() or output_discard() is needed afterwards
 * @path: owned by the caller; "-" is standard output
 * @file: NULL for a directory
 * @dir: descriptor of a directory; -1 for a file
 * @buffer: of @file; NULL: stdio's own
 */
struct output {
	const char *path;
	FILE *file;
	int dir;
	char *buffer;
};

int output_file(struct output *out, const char *path, struct err *err);
int output_dir(struct output *out, const char *path, struct err *err);

/* Return: 0: the kernel has all that was written; or -ERR_IO. */
int output_flush(struct output *out, struct err *err);

/* Closes the output. Return: 0, or -ERR_IO: the output was discarded. */
int output_finish(struct output *out, struct err *err);

/* Removes the output with all files in it; reports on stderr if that fails. */
void output_discard(struct output *out);

#endif
