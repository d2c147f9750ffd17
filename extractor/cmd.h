/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands; main.c has the table. */
#ifndef EPITAPH_CMD_H
#define EPITAPH_CMD_H

#include "err.h"
#include "input.h"
#include "trace.h"

/* Each gets argv from its own name on, and returns the exit status. */
int cmd_report(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_save(int argc, char **argv);

/* Prints the error to stderr, after "epitaph NAME: ", and gives the exit status. */
int cmd_fail(const char *name, const struct err *err);

/* Says how @name is used, on stderr; ERR_USAGE. */
int cmd_usage(const char *name);

/* The same, after a sentence. */
__attribute__((format(printf, 2, 3)))
int cmd_misuse(const char *name, const char *fmt, ...);

/* A whole decimal number of at most @max; false: it is not. */
bool cmd_number(const char *text, u64 max, u64 *ret);

/* Seconds, with up to nine decimals, as ns. */
bool cmd_seconds(const char *text, u64 *ret_ns);

/**
 * struct opened - a file, and what is in it
 * @trace: of the newest generation
 */
struct opened {
	struct input *in;
	struct regions *regions;
	struct trace *trace;
};

/* Opens all but the rings.  opened_close() is needed afterwards in any case. */
int opened_open(struct opened *o, const char *path, struct err *err);
void opened_close(struct opened *o);

/* Adds what the container lacks to what is noted. */
void opened_note_input(struct opened *o);

/* Tells of damage and loss on stderr; the exit status. */
int opened_status(const struct opened *o, const char *name, const char *path);

/* The worse of two exit statuses. */
static inline int cmd_worse(int a, int b)
{
	return a > b ? a : b;
}

/* ERR_OK, or ERR_IO and told if what was printed did not all get out. */
int cmd_flush(const char *name);

#endif
