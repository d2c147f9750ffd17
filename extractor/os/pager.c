// SPDX-License-Identifier: GPL-2.0-or-later
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/escape.h"

#define MAX_WORDS	16
#define BLANKS		" \t"
#define FOR_A_SHELL	"|&;<>()$`\\\"'*?[]#~=%!{}\n"

static pid_t pager;

/* A command for the shell; "": less; NULL: none. */
static const char *choose_pager(void)
{
	const char *command = getenv("EPITAPH_PAGER");

	if (!command)
		command = getenv("PAGER");
	if (!command)
		return "";
	return !*command || !strcmp(command, "cat") ? NULL : command;
}

/*
 * What is no more than words is started as it is, so that it is known if there is no such
 * program: a shell's text would be lost with it.
 */
static void exec_words(const char *command)
{
	char *words[MAX_WORDS + 1] = { NULL }, *rest, *word, *copy = strdup(command);
	size_t n = 0;

	if (!copy)
		return;
	word = strtok_r(copy, BLANKS, &rest);
	for (; word && n < MAX_WORDS; word = strtok_r(NULL, BLANKS, &rest))
		words[n++] = word;
	errno = EINVAL;
	if (n && !word)
		execvp(words[0], words);
}

static void exec_command(const char *command)
{
	if (!*command)
		execlp("less", "less", (char *)NULL);
	else if (!strpbrk(command, FOR_A_SHELL))
		exec_words(command);
	else
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
}

/* In the new process; tells errno through @exec_errno_pipe if nothing could be started. */
static void exec_pager(const char *command, int from, int exec_errno_pipe)
{
	/* Quit if all fits on a screen, show colours, and leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	dup2(from, STDIN_FILENO);
	exec_command(command);
	if (write(exec_errno_pipe, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

/* 0, or what execvp() said. */
static int exec_errno(int exec_errno_pipe)
{
	int errnum = 0;

	while (read(exec_errno_pipe, &errnum, sizeof(errnum)) < 0 && errno == EINTR)
		;
	close(exec_errno_pipe);
	return errnum;
}

/* Without less all is printed as it is; but one that was asked for is missed. */
static void report_missing_pager(const char *command, int errnum)
{
	char escaped[256];

	escape_text(escaped, sizeof(escaped), command, strlen(command));
	if (*command)
		fprintf(stderr, "epitaph: the pager %s cannot be started: %s\n", escaped, strerror(errnum));
}

static bool start_pager(const char *command, int text[2], int exec_errno_pipe[2])
{
	int errnum;

	fflush(stdout);
	pager = fork();
	if (!pager)
		exec_pager(command, text[0], exec_errno_pipe[1]);
	close(text[0]);
	close(exec_errno_pipe[1]);
	if (pager > 0) {
		errnum = exec_errno(exec_errno_pipe[0]);
		if (!errnum)
			return true;
		waitpid(pager, NULL, 0);
		report_missing_pager(command, errnum);
	} else {
		close(exec_errno_pipe[0]);
	}
	close(text[1]);
	pager = 0;
	return false;
}

bool pager_start(void)
{
	const char *command = choose_pager();
	int text[2], exec_errno_pipe[2];

	if (!command || !isatty(STDOUT_FILENO) || pipe2(text, O_CLOEXEC))
		return false;
	if (pipe2(exec_errno_pipe, O_CLOEXEC)) {
		close(text[0]);
		close(text[1]);
		return false;
	}
	if (!start_pager(command, text, exec_errno_pipe))
		return false;
	if (isatty(STDERR_FILENO))
		dup2(text[1], STDERR_FILENO);
	dup2(text[1], STDOUT_FILENO);
	close(text[1]);
	return true;
}

void pager_finish(void)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };

	if (!pager)
		return;
	/* Ctrl-C is the pager's to handle, and it has the terminal. */
	sigaction(SIGINT, &ignore, NULL);
	fflush(stdout);
	fflush(stderr);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	while (waitpid(pager, NULL, 0) < 0 && errno == EINTR)
		;
	pager = 0;
}
