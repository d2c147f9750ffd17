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

/*
 * A command without shell syntax is started without a shell: then a missing program is noticed
 * before any text goes to the pipe.
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

/* In the new process; sends errno through @exec_errno_pipe if the pager cannot be started. */
static void exec_pager(const char *command, int from, int exec_errno_pipe)
{
	/* Quit if all fits on a screen, show colours, and leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	dup2(from, STDIN_FILENO);
	if (!*command)
		execlp("less", "less", (char *)NULL);
	else if (!strpbrk(command, FOR_A_SHELL))
		exec_words(command);
	else
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	if (write(exec_errno_pipe, &errno, sizeof(errno)) < 0)
		_exit(126);
	_exit(127);
}

static bool start_pager(const char *command, int text[2], int exec_errno_pipe[2])
{
	char escaped[256];
	int errnum = 0;

	fflush(stdout);
	pager = fork();
	if (!pager)
		exec_pager(command, text[0], exec_errno_pipe[1]);
	close(text[0]);
	close(exec_errno_pipe[1]);
	if (pager > 0) {
		while (read(exec_errno_pipe[0], &errnum, sizeof(errnum)) < 0 && errno == EINTR)
			;
	}
	close(exec_errno_pipe[0]);
	if (pager > 0 && !errnum)
		return true;
	/* A missing less is no error; a missing pager of the environment is. */
	if (pager > 0) {
		waitpid(pager, NULL, 0);
		escape_text(escaped, sizeof(escaped), command, strlen(command));
		if (*command)
			fprintf(stderr, "epitaph: the pager %s cannot be started: %s\n", escaped,
				strerror(errnum));
	}
	close(text[1]);
	pager = 0;
	return false;
}

bool pager_start(void)
{
	const char *command = getenv("EPITAPH_PAGER");
	int text[2], exec_errno_pipe[2];

	if (!command)
		command = getenv("PAGER");
	if (!command)
		command = "";	/* less */
	else if (!*command || !strcmp(command, "cat"))
		return false;
	if (!isatty(STDOUT_FILENO) || pipe2(text, O_CLOEXEC))
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
