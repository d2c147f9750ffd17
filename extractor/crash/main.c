// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The extension of crash(8).
 *
 * A command runs in a child, a copy of the session: it may die of bad input, be interrupted, leak
 * and exit without harm to the session. Its stderr is printed in the form of crash's errors.
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
	{ "explain", cmd_explain },
	{ "report", cmd_report },
	{ "info", cmd_info },
	{ "mce", cmd_mce },
};

/* The commands call this after a wrong option. */
int cmd_usage(const char *name)
{
	fprintf(stderr, "see \"help epitaph\" for the options of %s\n", name);
	return ERR_USAGE;
}

/* --- in the new process --------------------------------------------------- */

static void run_redirected(int (*cmd)(int argc, char **argv),
			   const struct epitaph_memory_reader *memory, int errors)
{
	static const int handled[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE,
				       SIGILL, SIGABRT, SIGCHLD };
	char *argv[MAX_ARGS];
	int argc = 0, status;
	sigset_t none;

	/* The handlers of crash would start a second session. */
	for (size_t i = 0; i < ARRAY_SIZE(handled); i++)
		signal(handled[i], SIG_DFL);
	signal(SIGPIPE, SIG_IGN);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	if (dup2(fileno(fp), STDOUT_FILENO) < 0 || dup2(errors, STDERR_FILENO) < 0)
		_exit(ERR_IO);
	close(errors);
	/* The arguments of main(), with the session as the FILE. */
	argv[argc++] = args[1];
	argv[argc++] = (char *)"--no-pager";
	for (int i = 2; i < argcnt && argc < MAX_ARGS - 2; i++)
		argv[argc++] = args[i];
	argv[argc++] = (char *)memory->name;
	argv[argc] = NULL;
	reading_offer(memory);
	optind = 0;
	status = cmd(argc, argv);
	fflush(stdout);
	_exit(status);
}

/* --- in the session -------------------------------------------------------- */

/* Prints the lines of stderr as errors of crash, which begin with the command's name already. */
static void print_errors(int errors)
{
	static const char name[] = "epitaph ";
	FILE *f = fdopen(errors, "r");
	char line[1024];

	if (!f) {
		close(errors);
		return;
	}
	while (fgets(line, sizeof(line), f))
		__error(CRASH_INFO, (char *)"%s",
			line + (strncmp(line, name, strlen(name)) ? 0 : strlen(name)));
	fclose(f);
}

/* An interrupt is for the child: crash's handler would abandon it by a longjmp. */
static void run_in_child(int (*cmd)(int argc, char **argv),
			 const struct epitaph_memory_reader *memory)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN }, old;
	int errors[2];
	int status;
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
		run_redirected(cmd, memory, errors[1]);
	}
	close(errors[1]);
	if (pid < 0)
		__error(CRASH_INFO, (char *)"cannot start a process\n");
	print_errors(errors[0]);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status))
		__error(CRASH_INFO, (char *)"ended by signal %d (%s)\n", WTERMSIG(status),
			strsignal(WTERMSIG(status)));
	sigaction(SIGINT, &old, NULL);
}

static void cmd_epitaph(void)
{
	for (size_t i = 0; argcnt > 1 && i < ARRAY_SIZE(cmds); i++)
		if (!strcmp(args[1], cmds[i].name))
			return run_in_child(cmds[i].run, session_memory());
	if (argcnt > 1)
		__error(CRASH_INFO, (char *)"no command %s\n", args[1]);
	fprintf(fp, "Usage:\n  epitaph " CRASH_SYNOPSIS "\nEnter \"help epitaph\" for details.\n");
}

static struct command_table_entry table[] = {
	{ (char *)"epitaph", cmd_epitaph, crash_help, 0 },
	{ 0 },
};

__attribute__((constructor))
static void register_commands(void)
{
	register_extension(table);
}
