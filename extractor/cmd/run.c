// SPDX-License-Identifier: GPL-2.0-or-later
/* What all commands do alike: the options that each has, and how it is run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/did_you_mean.h"
#include "base/escape.h"
#include "debuginfo/debuginfo_path.h"
#include "debuginfo/debuginfod_client.h"
#include "dump/preopened.h"
#include "os/sandboxed_child.h"
#include "os/pager.h"
#include "os/progress.h"
#include "os/terminal.h"
#include "command.h"
#include "common.h"
#include "debuginfod.h"

#define MAX_OPTIONS	48
#define MAX_DIRS	64	/* of parts, in one command line */
#define ALL_DIRS	(MAX_DIRS + DEBUG_PLACES_MAX)

static struct {
	bool verbose;
	bool no_pager;
	enum color_when color;
} settings;

static bool take_color(const char *name, const char *when)
{
	static const char *const words[] = { "auto", "always", "never" };
	char escaped[256];
	const char *near;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(words); i++)
		if (!strcmp(when, words[i])) {
			settings.color = i;
			return true;
		}
	near = did_you_mean(when, words, ARRAY_SIZE(words));
	escape_text(escaped, sizeof(escaped), when, strlen(when));
	fprintf(stderr, "epitaph %s: --color: auto, always or never, and not \"%s\"%s%s%s\n", name, escaped,
		near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	return false;
}

const struct command *command_find(const char *name)
{
	const struct command *command;

	for (command = commands; command->name; command++)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/* Adds @options to the @nr of @all; how many there are then. */
static size_t add_options(struct option *all, size_t nr, const struct command_option *options)
{
	for (; options->name && nr < MAX_OPTIONS - 1; options++)
		all[nr++] = (struct option){
			options->name, options->arg ? required_argument : no_argument, NULL,
			options->val,
		};
	all[nr] = (struct option){ 0 };
	return nr;
}

/* The options that @word begins; how many. */
static size_t list_begun(const char *word, const struct option *all, size_t nr,
			 const char *begun[MAX_OPTIONS])
{
	size_t i, nr_begun = 0;

	for (i = 0; *word && i < nr; i++)
		if (!strncmp(all[i].name, word, strlen(word)))
			begun[nr_begun++] = all[i].name;
	return nr_begun;
}

static void tell_near(const char *word, const struct option *all, size_t nr)
{
	const char *words[MAX_OPTIONS], *near;
	size_t i;

	for (i = 0; i < nr; i++)
		words[i] = all[i].name;
	near = did_you_mean(word, words, nr);
	if (near)
		fprintf(stderr, "; did you mean --%s?", near);
	putc('\n', stderr);
}

static void tell_unknown(const char *name, const char *arg, const struct option *all, size_t nr)
{
	const char *begun[MAX_OPTIONS];
	char word[33] = "", escaped[256];
	size_t i, nr_begun;

	escape_text(escaped, sizeof(escaped), arg, strlen(arg));
	if (!strncmp(arg, "--", 2))
		snprintf(word, sizeof(word), "%.*s", (int)strcspn(arg + 2, "="), arg + 2);
	nr_begun = list_begun(word, all, nr, begun);
	if (nr_begun < 2) {
		fprintf(stderr, "epitaph %s: no option %s", name, escaped);
		tell_near(word, all, nr);
		return;
	}
	fprintf(stderr, "epitaph %s: %s can be", name, escaped);
	for (i = 0; i < nr_begun; i++)
		fprintf(stderr, "%s --%s", i ? i + 1 < nr_begun ? "," : " or" : "", begun[i]);
	putc('\n', stderr);
}

static void tell_wrong(const char *name, int opt, const char *arg, const struct option *all,
		       size_t nr)
{
	bool is_long = !strncmp(arg, "--", 2);
	char escaped[256], letter[] = { '-', optopt, 0 };

	escape_text(escaped, sizeof(escaped), is_long || !optopt ? arg : letter,
		   strlen(is_long || !optopt ? arg : letter));
	if (opt == ':')
		fprintf(stderr, "epitaph %s: %s: a value is missing\n", name, escaped);
	else if (is_long && optopt)
		fprintf(stderr, "epitaph %s: %s: it takes no value\n", name, escaped);
	else
		tell_unknown(name, is_long ? arg : letter, all, nr);
}

static int next_option(int argc, char **argv, const char *letters, const struct option *all, size_t nr)
{
	int opt;

	opterr = 0;
	while ((opt = getopt_long(argc, argv, letters, all, NULL)) != -1) {
		if (opt == 'v')
			settings.verbose = true;
		else if (opt == OPT_NO_PAGER)
			settings.no_pager = true;
		else if (opt != OPT_COLOR)
			break;
		else if (!take_color(argv[0], optarg))
			return '?';
	}
	if (opt == '?' || opt == ':') {
		tell_wrong(argv[0], opt, argv[optind - 1], all, nr);
		return '?';
	}
	return opt;
}

int cmd_next_option(int argc, char **argv)
{
	const struct command_option *options = command_find(argv[0])->options, *option;
	struct option all[MAX_OPTIONS];
	char letters[16] = ":v";
	size_t nr;

	for (option = options; option->name; option++)
		if (option->has_letter)
			snprintf(letters + strlen(letters), sizeof(letters) - strlen(letters), "%c%s",
				 option->val, option->arg ? ":" : "");
	nr = add_options(all, add_options(all, 0, options), common_options);
	return next_option(argc, argv, letters, all, nr);
}

bool cmd_is_verbose(void)
{
	return settings.verbose;
}

struct command_job {
	const struct cmd_work *work;
	int argc;
	char **argv;
};

static int run_job(void *arg)
{
	const struct command_job *job = arg;

	int status = job->work->run(job->argc, job->argv, job->work->arg);

	progress_end();
	return status;
}

/* What the process that reads may look at. */
static size_t list_dirs(int dirs[ALL_DIRS])
{
	size_t nr = preopened_dirs(dirs, MAX_DIRS);

	return nr + debug_places_dirs(dirs + nr, ALL_DIRS - nr);
}

/* Before there is a pager, which stderr may go to as well. */
static int open_terminal(void)
{
	return terminal_obeys(STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
}

/* A pager waits for the first line, and leaves the terminal alone till then. */
static void choose_output(const struct cmd_work *work, int terminal)
{
	bool prints = work->paged && isatty(STDOUT_FILENO);

	if (work->paged) {
		color_choose(settings.color);
		if (!settings.no_pager && terminal_obeys(STDOUT_FILENO))
			pager_start();
	}
	if (terminal >= 0)
		progress_choose(terminal, !prints);
}

/* What was fetched is among the places then. */
static int open_places(struct sandboxed_child *child, int dirs[ALL_DIRS], int argc, char **argv)
{
	struct err err = ERR_INIT;
	int status = 0;

	if (debuginfod_is_wanted())
		status = cmd_debuginfod(child, argc, argv);
	if (!status && debug_places_open(&err))
		status = cmd_fail(argv[0], &err);
	child->sandbox.nr_read_dir = list_dirs(dirs);
	return status;
}

int cmd_run(const struct cmd_work *work, int argc, char **argv)
{
	struct command_job job = { work, argc, argv };
	int dirs[ALL_DIRS], terminal = open_terminal(), status;
	struct err err = ERR_INIT;
	struct sandboxed_child child = {
		.name = argv[0],
		.verbose = settings.verbose,
		.run = run_job,
		.arg = &job,
	};

	if (preopened_open(argv + optind, argc - optind, &err))
		return cmd_fail(argv[0], &err);
	if (terminal >= 0)
		progress_choose(terminal, true);
	child.sandbox = (struct sandbox){ dirs, list_dirs(dirs), work->make_dir };
	status = open_places(&child, dirs, argc, argv);
	if (status)
		return status;
	choose_output(work, terminal);
	status = sandboxed_child_run(&child);
	pager_finish();
	return status;
}
