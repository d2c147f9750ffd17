// SPDX-License-Identifier: GPL-2.0-or-later
#include "sandboxed_child.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

#ifdef EPITAPH_NO_SANDBOX

void sandboxed_child_disown(void)
{
}

int sandboxed_child_run(const struct sandboxed_child *child)
{
	if (child->turns)
		turns_close(child->turns);
	return child->run(child->arg);
}

#else

/* Signals to the command as a whole. */
static const int passed_on[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

static volatile pid_t current;
static bool disowns;

static void pass_on(int sig)
{
	if (current > 0)
		kill(current, sig);
}

/* What the program got, and its sockets: a compromised reader must not write to them. */
static bool is_to_be_closed(int fd)
{
	struct stat st;

	return !(fcntl(fd, F_GETFD) & FD_CLOEXEC) || fstat(fd, &st) || S_ISSOCK(st.st_mode);
}

static void close_foreign(void)
{
	DIR *dir = opendir("/proc/self/fd");
	struct dirent *entry;
	int fd;

	while (dir && (entry = readdir(dir))) {
		fd = atoi(entry->d_name);
		if (fd > STDERR_FILENO && fd != dirfd(dir) && is_to_be_closed(fd))
			close(fd);
	}
	if (dir)
		closedir(dir);
}

/* @number: as turns_be() has it */
static void run_child(const struct sandboxed_child *child, u32 number, pid_t parent)
{
	struct sandbox_state state;
	struct sigaction old;
	char words[160];
	int status;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(passed_on); i++) {
		sigaction(passed_on[i], NULL, &old);
		if (old.sa_handler != SIG_IGN)
			signal(passed_on[i], SIG_DFL);
	}
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	/* It may have died before. */
	if (getppid() != parent)
		_exit(ERR_IO);
	if (child->turns && !turns_be(child->turns, number))
		_exit(ERR_IO);
	if (disowns)
		close_foreign();
	sandbox_enter(&child->sandbox, &state);
	if (child->verbose) {
		sandbox_words(words, sizeof(words), &state);
		fprintf(stderr, "epitaph %s: the file is read with %s\n", child->name, words);
	}
	status = child->run(child->arg);
	fflush(stdout);
	_exit(status);
}

/* The cause is a guess: a process at its limit of memory usually dies of a NULL pointer. */
static int report_death(const struct sandboxed_child *child, int sig, long max_kib)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(passed_on); i++)
		if (passed_on[i] == sig)
			return 128 + sig;
	fprintf(stderr, "epitaph %s: reading the file ended with signal %d (%s)", child->name,
		sig, strsignal(sig));
	if (max_kib > SANDBOX_MEMORY / 1024 / 10 * 9)
		fprintf(stderr, " when it had all of the %u MiB of memory that it may have",
			SANDBOX_MEMORY >> 20);
	else if (sig == SIGKILL)
		fputs(": somebody killed it, or the kernel ran out of memory", stderr);
	else
		fputs(": the file is damaged in a way that this version does not survive", stderr);
	putc('\n', stderr);
	return ERR_CORRUPT;
}

void sandboxed_child_disown(void)
{
	disowns = true;
}

static pid_t fork_child(const struct sandboxed_child *child, u32 number)
{
	pid_t parent = getpid(), pid;

	/* What is in the buffer would be written twice. */
	fflush(stdout);
	pid = fork();
	if (!pid)
		run_child(child, number, parent);
	if (pid < 0)
		fprintf(stderr, "epitaph %s: cannot start a process for reading the file: %s\n",
			child->name, strerror(errno));
	return pid;
}

/* Those that print for the writer, up to the first that is not there. */
static bool start_others(const struct sandboxed_child *child, pid_t others[TURNS_MAX])
{
	memset(others, 0, TURNS_MAX * sizeof(*others));
	for (u32 i = 1; child->turns && i < child->turns->nr; i++) {
		others[i] = fork_child(child, i);
		if (others[i] < 0)
			return false;
	}
	return true;
}

/* Without the writer they print for no one. */
static void end_others(const pid_t others[TURNS_MAX])
{
	for (u32 i = 1; i < TURNS_MAX && others[i] > 0; i++) {
		kill(others[i], SIGKILL);
		while (waitpid(others[i], NULL, 0) < 0 && errno == EINTR)
			;
	}
}

int sandboxed_child_run(const struct sandboxed_child *child)
{
	const struct sigaction handler = { .sa_handler = pass_on, .sa_flags = SA_RESTART };
	struct sigaction old[ARRAY_SIZE(passed_on)];
	pid_t others[TURNS_MAX], pid = -1, waited;
	struct rusage usage = { 0 };
	int status;
	size_t i;

	if (start_others(child, others))
		pid = fork_child(child, 0);
	if (child->turns)
		turns_close(child->turns);
	if (pid < 0) {
		end_others(others);
		return ERR_IO;
	}
	current = pid;
	for (i = 0; i < ARRAY_SIZE(passed_on); i++) {
		sigaction(passed_on[i], NULL, &old[i]);
		if (old[i].sa_handler != SIG_IGN)
			sigaction(passed_on[i], &handler, NULL);
	}
	do
		waited = wait4(pid, &status, 0, &usage);
	while (waited < 0 && errno == EINTR);
	if (waited < 0)
		status = ERR_IO;
	else if (WIFEXITED(status))
		status = WEXITSTATUS(status);
	else
		status = report_death(child, WTERMSIG(status), usage.ru_maxrss);
	for (i = 0; i < ARRAY_SIZE(passed_on); i++)
		sigaction(passed_on[i], &old[i], NULL);
	current = 0;
	end_others(others);
	return status;
}

#endif
