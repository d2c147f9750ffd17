/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands; main.c has the table. */
#ifndef EPITAPH_CMD_COMMON_H
#define EPITAPH_CMD_COMMON_H

#include <getopt.h>

#include "reading/choice.h"
#include "reading/reading.h"
#include "reading/status.h"

/* Each gets argv from its own name on, and returns the exit status. */
int cmd_report(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_mce(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_save(int argc, char **argv);
int cmd_redact(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_harvest(int argc, char **argv);
int cmd_setup(int argc, char **argv);
int cmd_guest(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_test_crash(int argc, char **argv);
int cmd_inject(int argc, char **argv);
int cmd_send(int argc, char **argv);
int cmd_seal(int argc, char **argv);
int cmd_unseal(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_size(int argc, char **argv);
int cmd_live(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_mark(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);

/* Says how @name is used, on stderr; ERR_USAGE. */
int cmd_usage(const char *name);

/* The same, after a sentence. */
__attribute__((format(printf, 2, 3)))
int cmd_misuse(const char *name, const char *fmt, ...);

/**
 * cmd_next_option() - getopt_long() with the options that the table has for command argv[0]
 *
 * Return: the @val of the option in commands.text; -1: no more options; '?': the option is wrong,
 *	and the error is printed.
 */
int cmd_next_option(int argc, char **argv);

/**
 * cmd_take_choice() - take an option that other commands have as well
 * @opt: of cmd_next_option()
 *
 * Return: 0; ERR_USAGE: it is none or its value is wrong, which is printed.
 */
int cmd_take_choice(struct choice *choice, const char *name, int opt);

/* Takes "30s", "5m", "1h" or seconds without a unit; else it says what @option of @name wants. */
bool cmd_take_span(const char *name, const char *option, const char *text, u64 *ret_ns);

/* The FILEs, from optind on. */
static inline struct file_list cmd_files(int argc, char **argv)
{
	return (struct file_list){ argv + optind, argc - optind };
}

/* reading_run() of the FILEs, of which there must be one. */
int cmd_print(const struct reading *reading, int argc, char **argv);

/* Why @device of the recorder cannot be opened, by errno, and what to do; -ERR_IO. */
int cmd_no_device(struct err *err, const char *device);

/* The same of a directory for captures, of which @err says more than that; -ERR_IO. */
int cmd_no_store(struct err *err, const char *dir);

/* Is @root, of --root, "" or a directory? 0; else says what it is; ERR_USAGE. */
int cmd_check_root(const char *name, const char *root);

/* Says so, and why; ERR_USAGE. */
int cmd_needs_root(const char *name, const char *why);

#endif
