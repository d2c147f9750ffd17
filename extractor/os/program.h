/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Another program that does a part of the work: sftp, epitaph-upload, age. */
#ifndef EPITAPH_OS_PROGRAM_H
#define EPITAPH_OS_PROGRAM_H

#include "base/err.h"

#define PROGRAM_MAX_ARGS	40

/**
 * struct program - what is run
 * @argv: up to NULL; argv[0] is looked up in PATH
 * @in: its standard input
 * @out: its standard output; 0: it is thrown away
 * @said: the last line of its standard error
 */
struct program {
	const char *argv[PROGRAM_MAX_ARGS + 1];
	size_t nr_args;
	int in;
	int out;
	char said[400];
};

/* Adds @option, if there is one, and @value; nothing at all if @value is NULL or "". */
void program_add(struct program *p, const char *option, const char *value);

/**
 * program_run() - run it to its end
 * @deadline: of monotonic_ms(); it is killed then
 *
 * Return: its exit status; 128 and a signal's number; -ERR_IO: it could not be run, or was killed
 *	at @deadline.
 */
int program_run(struct program *p, u64 deadline, struct err *err);

/* ms of CLOCK_MONOTONIC */
u64 monotonic_ms(void);

#endif
