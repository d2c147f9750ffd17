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
static const char *choose(void)
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

/* In the new process; tells errno through @told if nothing could be started. */
static void become(const char *command, int from, int told)
{
	/* Quit if all fits on a screen, show colours, and leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	dup2(from, STDIN_FILENO);
	exec_command(command);
	if (write(told, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

/* 0, or what execvp() said. */
static int did_start(int told)
{
	int errnum = 0;

	while (read(told, &errnum, sizeof(errnum)) < 0 && errno == EINTR)
		;
	close(told);
	return errnum;
}

/* Without less all is printed as it is; but one that was asked for is missed. */
static void tell_missing(const char *command, int errnum)
{
	char escaped[256];

	escape_text(escaped, sizeof(escaped), command, strlen(command));
	if (*command)
		fprintf(stderr, "epitaph: the pager %s cannot be started: %s\n", escaped, strerror(errnum));
}

static bool start(const char *command, int text[2], int told[2])
{
	int errnum;

	fflush(stdout);
	pager = fork();
	if (!pager)
		become(command, text[0], told[1]);
	close(text[0]);
	close(told[1]);
	if (pager > 0) {
		errnum = did_start(told[0]);
		if (!errnum)
			return true;
		waitpid(pager, NULL, 0);
		tell_missing(command, errnum);
	} else {
		close(told[0]);
	}
	close(text[1]);
	pager = 0;
	return false;
}

bool pager_start(void)
{
	const char *command = choose();
	int text[2], told[2];

	if (!command || !isatty(STDOUT_FILENO) || pipe2(text, O_CLOEXEC))
		return false;
	if (pipe2(told, O_CLOEXEC)) {
		close(text[0]);
		close(text[1]);
		return false;
	}
	if (!start(command, text, told))
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
