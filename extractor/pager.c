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

/* In the new process; tells through @told if nothing could be started. */
static void become(const char *command, int from, int told)
{
	/* Quit if all fits on a screen, show colours, and leave the screen as it is. */
	setenv("LESS", "FRX", 0);
	signal(SIGPIPE, SIG_DFL);
	dup2(from, STDIN_FILENO);
	if (*command)
		execl("/bin/sh", "sh", "-c", command, (char *)NULL);
	else
		execlp("less", "less", (char *)NULL);
	if (write(told, "", 1) < 0)
		_exit(126);
	_exit(127);
}

static bool did_start(int told)
{
	char byte;
	ssize_t n;

	do {
		n = read(told, &byte, 1);
	} while (n < 0 && errno == EINTR);
	close(told);
	return n == 0;
}

static bool start(const char *command, int text[2], int told[2])
{
	fflush(stdout);
	pager = fork();
	if (!pager)
		become(command, text[0], told[1]);
	close(text[0]);
	close(told[1]);
	if (pager > 0 && did_start(told[0]))
		return true;
	if (pager > 0)
		waitpid(pager, NULL, 0);
	else
		close(told[0]);
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
