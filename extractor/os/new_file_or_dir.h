/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What an export makes: a file or a directory that was not there before, which
 * is never found through a link that somebody put there.
 */
#ifndef EPITAPH_OS_NEW_FILE_OR_DIR_H
#define EPITAPH_OS_NEW_FILE_OR_DIR_H

#include <stdio.h>

#include "base/err.h"

/**
 * struct output - one
 * @path: the caller's; "-" is standard output
 * @file: NULL: a directory
 * @dir: -1: a file
 */
struct output {
	const char *path;
	FILE *file;
	int dir;
};

/* output_finish() or output_discard() is needed afterwards. */
int output_file(struct output *out, const char *path, struct err *err);
int output_dir(struct output *out, const char *path, struct err *err);

/* What was written is out of our hands, or an error. */
int output_flush(struct output *out, struct err *err);

/* Everything is written, or an error: then it is discarded. */
int output_finish(struct output *out, struct err *err);

/* Removes it, with all that is in it; says so on stderr if that cannot be. */
void output_discard(struct output *out);

#endif
