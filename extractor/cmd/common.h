/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The subcommands; main.c has the table. */
#ifndef EPITAPH_CMD_COMMON_H
#define EPITAPH_CMD_COMMON_H

#include <getopt.h>

#include "timeline/window.h"

/* Each gets argv from its own name on, and returns the exit status. */
int cmd_report(int argc, char **argv);
int cmd_info(int argc, char **argv);
int cmd_mce(int argc, char **argv);
int cmd_check(int argc, char **argv);
int cmd_export(int argc, char **argv);
int cmd_save(int argc, char **argv);
int cmd_redact(int argc, char **argv);
int cmd_capture(int argc, char **argv);
int cmd_harvest(int argc, char **argv);
int cmd_setup(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
int cmd_test_crash(int argc, char **argv);
int cmd_send(int argc, char **argv);
int cmd_status(int argc, char **argv);
int cmd_live(int argc, char **argv);
int cmd_mark(int argc, char **argv);
int cmd_control(int argc, char **argv);
int cmd_snapshot(int argc, char **argv);

/* Prints the error to stderr, after "epitaph NAME: ", and gives the exit status. */
int cmd_fail(const char *name, const struct err *err);

/* The same for an error that does not name its file yet. */
int cmd_fail_file(const char *name, const char *path, struct err *err);

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
 * struct cmd_work - what is done with the FILEs of a command line
 * @run: gets them from optind on, in a process that can open nothing: see docs/hostile.md
 * @make_dir: a directory in which it makes files; -1: none
 * @paged: what it prints is for people
 */
struct cmd_work {
	int (*run)(int argc, char **argv, void *arg);
	void *arg;
	int make_dir;
	bool paged;
};

/* Opens the FILEs from optind on and runs @work; the exit status. */
int cmd_run(const struct cmd_work *work, int argc, char **argv);

/* Was --verbose given? */
bool cmd_is_verbose(void);

/* The next of the FILEs, from optind on, with the parts of its dump; they need not be adjacent. */
struct dump_files cmd_take_files(int argc, char **argv);

/**
 * cmd_run_one() - read the one dump that the FILEs of a command line are of
 * @name: of the command
 * @read: gets @arg and the open dump; 0 or -ERR_
 *
 * Context: in cmd_work.run.
 * Return: the exit status. An error message is already printed.
 */
int cmd_run_one(const char *name, int argc, char **argv,
		int (*read)(void *arg, struct dump *in, struct err *err), void *arg);

/* Are the FILEs of several dumps? */
bool cmd_several(int argc, char **argv);

/* Why @device of the recorder cannot be opened, by errno, and what to do; -ERR_IO. */
int cmd_no_device(struct err *err, const char *device);

/* A whole decimal number of at most @max; false: it is not. */
bool cmd_number(const char *text, u64 max, u64 *ret);

/* Seconds, with up to nine decimals, as ns. */
bool cmd_seconds(const char *text, u64 *ret_ns);

/* A number, or "all" where @all_too; false: neither, and printed for command @name. */
bool cmd_generation(const char *name, const char *text, bool all_too, u64 *ret);

/* "region,log" and the like as enum postmortem_source; false: printed for command @name. */
bool cmd_sources(const char *name, const char *text, u32 *ret);

/* Adds what the container lacks to what is noted. */
void cmd_note_input(struct postmortem *pm);

/* Prints on stderr why @window of @pm shows nothing. Return: 0 or -ERR_. */
int cmd_explain_empty_window(const char *name, const char *path, struct postmortem *pm,
			     const struct window *window, struct err *err);

/* Prints damage and loss of @pm on stderr. Return: the exit status. */
int cmd_account_status(const struct postmortem *pm, const char *name, const char *path);

/* The worse of two exit statuses. */
static inline int cmd_worse(int a, int b)
{
	return a > b ? a : b;
}

/* Flushes stdout. Return: ERR_OK, or ERR_IO after a message if a write to stdout failed. */
int cmd_flush(const char *name);

#endif
