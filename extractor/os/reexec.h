/* SPDX-License-Identifier: GPL-2.0-or-later */
/* This program, run once more with other arguments, and files that are installed with it. */
#ifndef EPITAPH_OS_REEXEC_H
#define EPITAPH_OS_REEXEC_H

#include <stdio.h>
#include <sys/types.h>

#include "base/types.h"

/**
 * struct self - the running program
 * @out: its output, to be read to the end; NULL: it was not started
 */
struct self {
	FILE *out;
	pid_t pid;
};

/**
 * reexec_run() - start it; reexec_wait() is needed afterwards
 * @argv: from the name of the command on, up to NULL
 * @seconds: it is killed then; 0: never
 * @errors: its stderr comes too, else it is thrown away
 */
struct self reexec_run(const char *const *argv, unsigned int seconds, bool errors);

/* Its exit status; -1: it was not started, or killed. */
int reexec_wait(struct self *self);

/* Where @name is, a file of ours: beside this program, or in ../lib/epitaph of its directory. */
void reexec_beside(char *path, size_t size, const char *name);

#endif
