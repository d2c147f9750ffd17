// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The extension of crash(8).
 *
 * A command runs in a process of its own, a copy of the session: it may die of
 * what it reads, be interrupted, leak and exit, and nothing of that reaches
 * the session.  What it says on stderr is told as crash tells errors.
 */
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cmd/common.h"
#include "crash_abi.h"
#include "help.h"
#include "session.h"

#define MAX_ARGS	104	/* MAXARGS of defs.h is 100 */

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} cmds[] = {
	{ "report", cmd_report },
	{ "info", cmd_info },
	{ "mce", cmd_mce },
};

/* The commands ask for this when they are misused. */
int cmd_usage(const char *name)
{
	fprintf(stderr, "see \"help epitaph\" for the options of %s\n", name);
	return ERR_USAGE;
}

/* --- in the new process --------------------------------------------------- */

/* crash's own handlers would bring up a second session. */
static void reset_signals(void)
{
	static const int taken[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE,
				     SIGILL, SIGABRT, SIGCHLD };
	sigset_t none;

	for (size_t i = 0; i < ARRAY_SIZE(taken); i++)
		signal(taken[i], SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* The command's line as main() gets one, with the session as the FILE. */
static int run(int (*cmd)(int argc, char **argv), const struct dump_callback *memory)
{
	char *argv[MAX_ARGS];
	int argc = 0;

	argv[argc++] = args[1];
	argv[argc++] = (char *)"--no-pager";
	for (int i = 2; i < argcnt && argc < MAX_ARGS - 2; i++)
		argv[argc++] = args[i];
	argv[argc++] = (char *)memory->name;
	argv[argc] = NULL;
	dump_offer_callback(memory);
	optind = 0;
	return cmd(argc, argv);
}

static void become(int (*cmd)(int argc, char **argv), const struct dump_callback *memory,
		   int errors)
{
	int status;

	reset_signals();
	if (dup2(fileno(fp), STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		_exit(ERR_IO);
	close(errors);
	status = run(cmd, memory);
	fflush(stdout);
	_exit(status);
}

/* --- in the session -------------------------------------------------------- */

/* A line of stderr as crash's own, which begins with the command's name already. */
static void tell(const char *line)
{
	static const char name[] = "epitaph ";

	if (!strncmp(line, name, sizeof(name) - 1))
		line += sizeof(name) - 1;
	__error(CRASH_INFO, (char *)"%s", line);
}

static void tell_all(int errors)
{
	FILE *f = fdopen(errors, "r");
	char line[1024];

	if (!f) {
		close(errors);
		return;
	}
	while (fgets(line, sizeof(line), f))
		tell(line);
	fclose(f);
}

static void wait_for(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		return;
	if (WIFSIGNALED(status))
		__error(CRASH_INFO, (char *)"ended by signal %d (%s)\n", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
}

/* An interrupt is for the child: crash's handler would leave it behind by a longjmp. */
static void run_apart(int (*cmd)(int argc, char **argv), const struct dump_callback *memory)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	int errors[2];
	pid_t pid;

	if (pipe(errors)) {
		__error(CRASH_INFO, (char *)"cannot make a pipe\n");
		return;
	}
	fflush(NULL);
	sigaction(SIGINT, &ignore, &old);
	pid = fork();
	if (!pid) {
		close(errors[0]);
		become(cmd, memory, errors[1]);
	}
	close(errors[1]);
	if (pid < 0)
		__error(CRASH_INFO, (char *)"cannot start a process\n");
	tell_all(errors[0]);
	if (pid > 0)
		wait_for(pid);
	sigaction(SIGINT, &old, NULL);
}

static void misuse(void)
{
	if (argcnt > 1)
		__error(CRASH_INFO, (char *)"no command %s\n", args[1]);
	fprintf(fp, "Usage:\n  epitaph " CRASH_SYNOPSIS "\nEnter \"help epitaph\" for details.\n");
}

static void cmd_epitaph(void)
{
	for (size_t i = 0; argcnt > 1 && i < ARRAY_SIZE(cmds); i++)
		if (!strcmp(args[1], cmds[i].name))
			return run_apart(cmds[i].run, session_memory());
	misuse();
}

static struct command_table_entry table[] = {
	{ (char *)"epitaph", cmd_epitaph, crash_help, 0 },
	{ 0 },
};

__attribute__((constructor))
static void enter(void)
{
	register_extension(table);
}
